import { type CommandGroup, command } from '../../server/commands/declaration.ts';

export default {
  name: 'push',
  about: 'send notifications to subscribed devices',
  usual: 'list',
  commands: [
    command({
      name: 'keys',
      about: 'print a new key pair as environment variables',
      load: async () => (await import('./commands.ts')).makeKeys,
    }),
    command({
      name: 'send',
      about: 'send a message (--title) or announce an article (--article)',
      details: 'The environment needs the variables that "push keys" prints.',
      options: {
        title: { value: 'TEXT', about: 'title of the message, unless --article is given' },
        body: { value: 'TEXT', about: 'text below the title (default: none)' },
        url: { value: 'URL', about: 'page of this site to open (default: the home page)' },
        article: { value: 'NAME', about: 'article to announce, in each of its languages' },
        language: { value: 'LANGUAGE', about: 'only subscribers of this language (default: all)' },
        dryRun: { about: 'print how many subscribers it would reach, and send nothing' },
      },
      load: async () => (await import('./commands.ts')).sendPush,
    }),
    command({
      name: 'list',
      about: 'list the last hundred messages and their results',
      load: async () => (await import('./commands.ts')).listPush,
    }),
  ],
} satisfies CommandGroup;
