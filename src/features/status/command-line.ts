import { type CommandGroup, command } from '../../server/commands/declaration.ts';
import { wholeNumber } from '../../server/commands/values.ts';

export default {
  name: 'incident',
  about: 'incidents on the status page',
  usual: 'list',
  commands: [
    command({
      name: 'open',
      about: 'say that something is wrong, until it is closed',
      arguments: {
        text: { about: 'at most 500 characters, shown in every language as it is', several: true },
      },
      load: async () => (await import('./commands.ts')).openIncident,
    }),
    command({
      name: 'close',
      about: 'say that it is over',
      arguments: { number: { about: 'the number of an incident', read: wholeNumber(1) } },
      load: async () => (await import('./commands.ts')).closeIncident,
    }),
    command({
      name: 'list',
      about: 'all incidents',
      load: async () => (await import('./commands.ts')).listIncidents,
    }),
  ],
} satisfies CommandGroup;
