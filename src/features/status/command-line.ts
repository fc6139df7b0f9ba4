import { type CommandGroup, command, wholeNumber } from '../../server/commands/declaration.ts';

export default {
  name: 'incident',
  about: 'manage incidents on the status page',
  usual: 'list',
  commands: [
    command({
      name: 'open',
      about: 'open an incident: show a text on the status page',
      arguments: {
        text: { about: 'text in your words, up to 500 characters; it is not translated', several: true },
      },
      load: async () => (await import('./commands.ts')).openIncident,
    }),
    command({
      name: 'close',
      about: 'close an incident: mark it as over',
      arguments: { number: { about: 'number of the incident, as in "incident list"', read: wholeNumber(1) } },
      load: async () => (await import('./commands.ts')).closeIncident,
    }),
    command({
      name: 'list',
      about: 'list all incidents',
      load: async () => (await import('./commands.ts')).listIncidents,
    }),
  ],
} satisfies CommandGroup;
