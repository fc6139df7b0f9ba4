import { type CommandGroup, command } from '../../server/commands/declaration.ts';

export default {
  name: 'alarms',
  about: 'alarms of the last time',
  usual: 'list',
  commands: [
    command({
      name: 'list',
      about: 'the newest alarms',
      load: async () => (await import('./commands.ts')).listAlarms,
    }),
  ],
} satisfies CommandGroup;
