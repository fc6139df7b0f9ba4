import { type CommandGroup, command } from '../../web/commands/declaration.ts';

export default {
  name: 'alarms',
  about: 'alarms of the last time, and their conditions for Prometheus and Grafana',
  usual: 'list',
  commands: [
    command({
      name: 'list',
      about: 'the newest alarms',
      load: async () => (await import('./commands.ts')).listAlarms,
    }),
    command({
      name: 'files',
      about: 'write rules for Prometheus and a dashboard for Grafana',
      arguments: { folder: { about: 'where to write them' } },
      load: async () => (await import('./commands.ts')).writeMonitoringFiles,
    }),
  ],
} satisfies CommandGroup;
