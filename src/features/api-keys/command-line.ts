import { type CommandGroup, command } from '../../server/commands/declaration.ts';
import { textLike, wholeNumber } from '../../server/commands/values.ts';

const name = {
  about: 'the name of the key’s owner',
  read: textLike(/^[\w.-]{1,60}$/, 'must have 1 to 60 letters, digits, dots, dashes and underscores'),
} as const;

export default {
  name: 'keys',
  about: 'manage API keys, which raise a caller’s limits',
  usual: 'list',
  commands: [
    command({
      name: 'create',
      about: 'create a key and print it once',
      arguments: { name },
      options: {
        times: {
          value: 'N',
          about: 'multiple of a visitor’s limits',
          default: '10',
          read: wholeNumber(1, 1000),
        },
      },
      load: async () => (await import('./commands.ts')).createKey,
    }),
    command({
      name: 'revoke',
      about: 'revoke a key',
      arguments: { name },
      load: async () => (await import('./commands.ts')).revokeKey,
    }),
    command({
      name: 'list',
      about: 'list keys and their usage',
      load: async () => (await import('./commands.ts')).listKeys,
    }),
  ],
} satisfies CommandGroup;
