import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { canaryPost } from '../../downloader/posts/canary/default-link.ts';
import { command, type Declaration } from '../../server/commands/declaration.ts';
import { authors, categories, posts } from './content/command-line.ts';

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
