import { type CommandGroup, command } from '../../server/commands/declaration.ts';

const file = { about: 'a site configuration; the one of SITE_CONFIG by default', optional: true } as const;

export default {
  name: 'site',
  about: 'the site configuration, what pages promote, and its pictures',
  commands: [
    command({
      name: 'check',
      about: 'check a site configuration, and show which page promotes what',
      arguments: { file },
      load: async () => (await import('./commands/site.ts')).checkSite,
    }),
    command({
      name: 'pictures',
      about: 'make the pictures that it names',
      arguments: { file },
      load: async () => (await import('./commands/site.ts')).makeSitePictures,
    }),
  ],
} satisfies CommandGroup;
