import { type CommandGroup, command } from '../../web/commands/declaration.ts';

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
