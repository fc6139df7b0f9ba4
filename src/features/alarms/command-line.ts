import { type CommandGroup, command } from '../../server/commands/declaration.ts';

export default {
  name: 'alarms',
  about: 'alarms of the last time, and whether they arrive',
  usual: 'list',
  commands: [
    command({
      name: 'test',
      about: 'send a message by each channel of alarms',
      load: async () => (await import('./commands.ts')).testAlarms,
    }),
    command({
      name: 'list',
      about: 'the newest alarms',
      load: async () => (await import('./commands.ts')).listAlarms,
    }),
  ],
} satisfies CommandGroup;
