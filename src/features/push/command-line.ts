import { type CommandGroup, command } from '../../server/commands/declaration.ts';

export default {
  name: 'push',
  about: 'send notifications to subscribed devices',
  usual: 'list',
  commands: [
    command({
      name: 'keys',
      about: 'print a new key pair for the environment',
      load: async () => (await import('./commands.ts')).makeKeys,
    }),
    command({
      name: 'send',
      about: 'send a message (--title) or announce an article (--article)',
      options: {
        title: { value: 'TEXT', about: 'title of the message' },
        body: { value: 'TEXT', about: 'text of the message' },
        url: { value: 'URL', about: 'the page of this site to open (default: the home page)' },
        article: { value: 'NAME', about: 'announce this article to readers of each of its languages' },
        language: { value: 'LANGUAGE', about: 'only readers of this language' },
        dryRun: { about: 'print how many subscribers it would reach; send nothing' },
      },
      load: async () => (await import('./commands.ts')).sendPush,
    }),
    command({
      name: 'continue',
      about: 'continue messages that were interrupted',
      load: async () => (await import('./commands.ts')).continuePush,
    }),
    command({
      name: 'list',
      about: 'list results of the last hundred messages',
      load: async () => (await import('./commands.ts')).listPush,
    }),
  ],
} satisfies CommandGroup;
