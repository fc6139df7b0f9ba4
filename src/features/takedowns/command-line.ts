import { type CommandGroup, command, wholeNumber } from '../../server/commands/declaration.ts';

const urls = { about: 'links to posts, or authors as @NAME', several: true } as const;

export default {
  name: 'takedown',
  about: 'block posts and authors, and lift blocks',
  usual: 'list',
  commands: [
    command({
      name: 'add',
      about: 'block posts and authors',
      arguments: { urls },
      options: {
        reason: { value: 'TEXT', about: 'reason for the takedown log (default: none)' },
        days: {
          value: 'N',
          about: 'days until the block ends (default: until it is lifted)',
          read: wholeNumber(1, 36_500),
        },
      },
      load: async () => (await import('./commands.ts')).addTakedowns,
    }),
    command({
      name: 'remove',
      about: 'lift blocks of posts and authors',
      arguments: { urls },
      load: async () => (await import('./commands.ts')).removeTakedowns,
    }),
    command({
      name: 'list',
      about: 'list blocked posts and authors',
      load: async () => (await import('./commands.ts')).listTakedowns,
    }),
  ],
} satisfies CommandGroup;
