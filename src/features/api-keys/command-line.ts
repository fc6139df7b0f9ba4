import { type CommandGroup, command } from '../../server/commands/declaration.ts';
import { textLike, wholeNumber } from '../../server/commands/values.ts';

const name = {
  about: 'whose key it is',
  read: textLike(/^[\w.-]{1,60}$/, 'must have 1 to 60 letters, digits, dots, dashes and underscores'),
} as const;

export default {
  name: 'keys',
  about: 'API keys, which multiply a visitor’s limits',
  usual: 'list',
  commands: [
    command({
      name: 'create',
      about: 'make a key, and print it this once',
      arguments: { name },
      options: {
        times: {
          value: 'N',
          about: 'how many times a visitor’s limits',
          default: '10',
          read: wholeNumber(1, 1000),
        },
      },
      load: async () => (await import('./commands.ts')).createKey,
    }),
    command({
      name: 'revoke',
      about: 'end a key',
      arguments: { name },
      load: async () => (await import('./commands.ts')).revokeKey,
    }),
    command({
      name: 'list',
      about: 'all keys, and what was asked with them',
      load: async () => (await import('./commands.ts')).listKeys,
    }),
  ],
} satisfies CommandGroup;
