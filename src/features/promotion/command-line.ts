import { type CommandGroup, command } from '../../server/commands/declaration.ts';

const file = {
  about: "site configuration (default: the site's own)",
  optional: true,
} as const;

export default {
  name: 'site',
  about: 'check the site configuration and store its pictures',
  commands: [
    command({
      name: 'check',
      about: 'check a site configuration and SITE_DIR, and list what each page promotes',
      arguments: { file },
      load: async () => (await import('./commands.ts')).checkSite,
    }),
    command({
      name: 'pictures',
      about: 'convert and store the pictures that a site configuration names',
      arguments: { file },
      load: async () => (await import('./commands.ts')).makeSitePictures,
    }),
  ],
} satisfies CommandGroup;
