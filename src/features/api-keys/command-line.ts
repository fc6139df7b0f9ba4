import { type CommandGroup, command, textLike, wholeNumber } from '../../server/commands/declaration.ts';

const name = {
  about: 'name of the key',
  read: textLike(/^[\w.-]{1,60}$/, 'must have 1 to 60 letters, digits, dots, dashes and underscores'),
} as const;

export default {
  name: 'keys',
  about: 'manage API keys, which raise a caller’s limits',
  usual: 'list',
  commands: [
    command({
      name: 'create',
      about: 'create a key and print it',
      details: 'The site stores only its hash, so the key cannot be shown again.',
      arguments: {
        name: { ...name, about: 'name of the key: up to 60 letters, digits, dots, dashes and underscores' },
      },
      options: {
        times: {
          value: 'N',
          about: 'how many times a visitor’s limits the key has, 1 to 1000',
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
      about: 'list keys and their usage, also revoked ones',
      load: async () => (await import('./commands.ts')).listKeys,
    }),
  ],
} satisfies CommandGroup;
