import { type CommandGroup, command } from '../../server/commands/declaration.ts';
import { wholeNumber } from '../../server/commands/values.ts';

const urls = { about: 'links to posts, and authors (@someone)', several: true } as const;

export default {
  name: 'takedown',
  about: 'blocked posts and authors',
  usual: 'list',
  commands: [
    command({
      name: 'add',
      about: 'block posts and authors',
      arguments: { urls },
      options: {
        reason: { value: 'TEXT', about: 'why, for the log', default: '' },
        days: {
          value: 'N',
          about: 'how long; until it is lifted when left out',
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
      about: 'all that is blocked',
      load: async () => (await import('./commands.ts')).listTakedowns,
    }),
  ],
} satisfies CommandGroup;
