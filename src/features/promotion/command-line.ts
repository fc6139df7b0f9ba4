import { type CommandGroup, command } from '../../server/commands/declaration.ts';

const file = { about: 'a site configuration (default: SITE_CONFIG)', optional: true } as const;

export default {
  name: 'site',
  about: 'check the site configuration and prepare its pictures',
  commands: [
    command({
      name: 'check',
      about: "check a site configuration and the site's folder, and list what each page promotes",
      arguments: { file },
      load: async () => (await import('./commands/site.ts')).checkSite,
    }),
    command({
      name: 'pictures',
      about: 'prepare the pictures of a site configuration',
      arguments: { file },
      load: async () => (await import('./commands/site.ts')).makeSitePictures,
    }),
  ],
} satisfies CommandGroup;
