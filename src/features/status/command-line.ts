import { type CommandGroup, command } from '../../server/commands/declaration.ts';
import { wholeNumber } from '../../server/commands/values.ts';

export default {
  name: 'incident',
  about: 'manage incidents on the status page',
  usual: 'list',
  commands: [
    command({
      name: 'open',
      about: 'open an incident',
      arguments: {
        text: { about: 'text to show, up to 500 characters; it is not translated', several: true },
      },
      load: async () => (await import('./commands.ts')).openIncident,
    }),
    command({
      name: 'close',
      about: 'close an incident',
      arguments: { number: { about: 'number of the incident, as listed', read: wholeNumber(1) } },
      load: async () => (await import('./commands.ts')).closeIncident,
    }),
    command({
      name: 'list',
      about: 'list incidents',
      load: async () => (await import('./commands.ts')).listIncidents,
    }),
  ],
} satisfies CommandGroup;
