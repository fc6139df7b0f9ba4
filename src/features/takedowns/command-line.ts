import { type CommandGroup, command } from '../../server/commands/declaration.ts';
import { wholeNumber } from '../../server/commands/values.ts';

const urls = { about: 'links to posts, or authors as @name', several: true } as const;

export default {
  name: 'takedown',
  about: 'block posts and authors, or lift blocks',
  usual: 'list',
  commands: [
    command({
      name: 'add',
      about: 'block posts and authors',
      arguments: { urls },
      options: {
        reason: { value: 'TEXT', about: 'reason for the log' },
        days: {
          value: 'N',
          about: 'days until it ends (default: until lifted)',
          read: wholeNumber(1, 36_500),
        },
      },
      load: async () => (await import('./commands.ts')).addTakedowns,
    }),
    command({
      name: 'remove',
      about: 'lift blocks',
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
