import { type CommandGroup, command } from '../../server/commands/declaration.ts';

export default {
  name: 'push',
  about: 'notifications to subscribed devices',
  usual: 'list',
  commands: [
    command({
      name: 'keys',
      about: 'print a new key pair, for the environment',
      load: async () => (await import('./commands.ts')).makeKeys,
    }),
    command({
      name: 'send',
      about: 'send a message of its own (--title), or one about an article (--article)',
      options: {
        title: { value: 'TEXT', about: 'what it says first' },
        body: { value: 'TEXT', about: 'what it says below' },
        url: { value: 'URL', about: 'the page of this site that it opens; the home page by default' },
        article: { value: 'NAME', about: 'the readers of each of its languages get its title and text' },
        language: { value: 'LANGUAGE', about: 'to readers of this language only' },
        dryRun: { about: 'only say how many subscribers it would reach' },
        // Older scripts give it: every message is sent at once.
        now: { about: 'send at once', hidden: true },
      },
      load: async () => (await import('./commands.ts')).sendPush,
    }),
    command({
      name: 'continue',
      about: 'finish unfinished messages',
      load: async () => (await import('./commands.ts')).continuePush,
    }),
    command({
      name: 'list',
      about: 'the results of the last hundred messages',
      load: async () => (await import('./commands.ts')).listPush,
    }),
  ],
} satisfies CommandGroup;
