import { type CommandGroup, command } from '../../server/commands/declaration.ts';

export default {
  name: 'alarms',
  about: 'list recent alarms, or test their delivery',
  usual: 'list',
  commands: [
    command({
      name: 'test',
      about: 'send a test message to every alarm channel',
      load: async () => (await import('./commands.ts')).testAlarms,
    }),
    command({
      name: 'list',
      about: 'list recent alarms',
      load: async () => (await import('./commands.ts')).listAlarms,
    }),
  ],
} satisfies CommandGroup;
