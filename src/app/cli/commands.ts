import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { canaryPost } from '../../downloader/posts/canary/default-link.ts';
import {
  type CommandDeclaration,
  type CommandGroup,
  command,
  type Declaration,
} from '../../server/commands/declaration.ts';

const dryRun = { about: 'print what would change, and change nothing' } as const;
const unpublished = { about: 'leave new articles unpublished' } as const;
const locale = { value: 'LANGUAGE', about: 'only this language (default: all)' } as const;

/** Import and export, which posts, categories and authors have in common. @param what is written and read */
const transfer = (name: 'posts' | 'categories' | 'authors', what: string): readonly CommandDeclaration[] => [
  command({
    name: 'import',
    about: `import ${what} from a folder`,
    arguments: { folder: { about: 'folder to import' } },
    options: { dryRun, ...(name === 'posts' && { unpublished }) },
    load: async () => (await import('./content/content.ts')).importPart(name),
  }),
  command({
    name: 'export',
    about: `export ${what} to a folder that import can read`,
    arguments: { folder: { about: 'folder to write to' } },
    load: async () => (await import('./content/content.ts')).exportPart(name),
  }),
];

/** Which articles: by the names of their folders. */
const oneOrAll = {
  arguments: { names: { about: 'names of articles, as in "posts list"', several: true } },
  options: { locale },
} as const;

const posts: CommandGroup = {
  name: 'posts',
  about: 'manage articles with their categories and authors',
  commands: [
    ...transfer('posts', 'articles, categories and authors'),
    command({
      name: 'list',
      about: 'list articles, one line for each language',
      options: { locale },
      load: async () => (await import('./content/content.ts')).listPosts,
    }),
    command({
      name: 'unpublish',
      about: 'hide articles until they are published again',
      ...oneOrAll,
      load: async () => (await import('./content/content.ts')).unpublishPosts,
    }),
    command({
      name: 'publish',
      about: 'publish unpublished articles',
      ...oneOrAll,
      load: async () => (await import('./content/content.ts')).publishPosts,
    }),
    command({
      name: 'delete',
      about: 'delete articles',
      arguments: oneOrAll.arguments,
      options: { dryRun, locale },
      load: async () => (await import('./content/content.ts')).deletePosts,
    }),
  ],
};

const categories: CommandGroup = {
  name: 'categories',
  about: 'manage categories',
  commands: [
    ...transfer('categories', 'categories'),
    command({
      name: 'list',
      about: 'list categories with their English names',
      load: async () => (await import('./content/content.ts')).listCategoryNames,
    }),
    command({
      name: 'delete',
      about: 'delete unused categories',
      details: 'A category with articles or subcategories is not deleted. The exit code is then 1.',
      arguments: { names: { about: 'names of categories, as in "categories list"', several: true } },
      load: async () => (await import('./content/content.ts')).deleteCategories,
    }),
  ],
};

const authors: CommandGroup = {
  name: 'authors',
  about: 'manage authors',
  commands: [
    ...transfer('authors', 'authors'),
    command({
      name: 'list',
      about: 'list authors with their English names',
      load: async () => (await import('./content/content.ts')).listAuthorNames,
    }),
    command({
      name: 'delete',
      about: 'delete authors without articles',
      details: 'An author with articles is not deleted. The exit code is then 1.',
      arguments: { names: { about: 'names of authors, as in "authors list"', several: true } },
      load: async () => (await import('./content/content.ts')).deleteAuthors,
    }),
  ],
};

const backup = command({
  name: 'backup',
  about: 'back up the site to one archive, also while it runs',
  details:
    'The archive (tar, mode 0600) contains the database (always as an SQLite file), the key file, the site configuration and the pictures in S3. It does not contain environment variables or the rest of SITE_DIR. It is confidential.',
  arguments: { file: { about: 'archive to write (-: standard output)' } },
  load: async () => (await import('./backup/backup.ts')).runBackup,
});

const restore = command({
  name: 'restore',
  about: 'restore an archive into an empty installation',
  details:
    'Stop the site first, and start it afterwards. The whole archive is checked before anything changes. An archive of a site on SQLite can be restored into PostgreSQL, and the reverse. Data of an older version is migrated; an archive of a newer version is refused.',
  arguments: { file: { about: 'archive to restore (-: standard input)' } },
  options: { replace: { about: 'overwrite existing data' } },
  load: async () => (await import('./backup/restore.ts')).runRestore,
});

const doctor = command({
  name: 'doctor',
  about: 'check the installation and say how to fix problems',
  details:
    'Run it with the environment of the site. It exits with 1 after an error, and with --strict after a warning. It reads one post from TikTok, writes and deletes one object in S3, and opens PORT briefly if it is free. It changes nothing else, and sends no message without --tell.',
  options: {
    strict: { about: 'treat warnings as errors' },
    tell: { about: 'send a test message to every alarm channel' },
    post: {
      value: 'URL',
      about: 'post to read from TikTok',
      default: canaryPost,
    },
  },
  load: async () => (await import('./doctor/doctor.ts')).runDoctor,
});

const canary = command({
  name: 'canary',
  about: 'read one post with every strategy, through each egress',
  details:
    'An egress is one of OUTBOUND_PROXIES, or the direct route. It also prints the size and codecs of the post’s files. It exits with 0 if the first strategy works through every egress. With --matrix it takes up to two minutes, and exits with 0 if every egress gets the post’s page as at least one identity.',
  arguments: { url: { about: 'link to a post (default: a post of TikTok’s own)', optional: true } },
  options: {
    matrix: {
      about: 'request the post’s page as each identity, over each HTTP version, with and without cookies',
    },
  },
  load: async () => (await import('./canary.ts')).runCanaryCommand,
});

const features = new URL('../../features/', import.meta.url);

/** Commands of features, found by the name of their file. */
const ofFeatures = await Promise.all(
  globSync('*/command-line.ts', { cwd: fileURLToPath(features) })
    .sort()
    .map(async (file) => {
      const module = (await import(new URL(file, features).href)) as { default: Declaration };
      return module.default;
    }),
);

/** Every command, in the order of help. The code of each is imported when it is called. */
export const commands: readonly Declaration[] = [
  ...[doctor, canary, backup, restore, posts, categories, authors],
  ...ofFeatures.toSorted((one, other) => one.name.localeCompare(other.name, 'en')),
];
