import { type CommandGroup, command } from '../../server/commands/declaration.ts';

export default {
  name: 'alarms',
  about: 'list recent alarms and test their delivery',
  usual: 'list',
  commands: [
    command({
      name: 'test',
      about: 'send a test message to every alarm channel',
      details:
        'The channels are ALARM_WEBHOOK_URL and ALARM_MAIL. The exit code is 1 if one of them fails, or none is set.',
      load: async () => (await import('./commands.ts')).testAlarms,
    }),
    command({
      name: 'list',
      about: 'list the last fifty alarms',
      load: async () => (await import('./commands.ts')).listAlarms,
    }),
  ],
} satisfies CommandGroup;
