import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { canaryPost } from '../../downloader/posts/canary/default-link.ts';
import { command, type Declaration } from '../../server/commands/declaration.ts';
import { authors, categories, posts } from './content/command-line.ts';

const backup = command({
  name: 'backup',
  about: 'back up all data of the running site to one archive',
  details:
    'The archive contains the database (as an SQLite file, PostgreSQL’s too), the key file, the site configuration and the pictures in S3, but no environment variables. It is confidential: its mode is 0600.',
  arguments: { file: { about: 'the archive to write; - for standard output' } },
  load: async () => (await import('./backup/backup.ts')).runBackup,
});

const restore = command({
  name: 'restore',
  about: 'restore an archive into an empty installation',
  details:
    'The whole archive is checked before anything changes. A backup of SQLite can be restored into PostgreSQL, and the reverse. Data of an older version is migrated; data of a newer one is refused.',
  arguments: { file: { about: 'the archive to restore; - for standard input' } },
  options: { replace: { about: 'overwrite existing data; stop the site first' } },
  load: async () => (await import('./backup/restore.ts')).runRestore,
});

const doctor = command({
  name: 'doctor',
  about: 'check the installation, and say how to fix problems',
  details:
    'Run it with the environment of the site. It exits with 1 on an error, with --strict also on a warning. It reads one post from TikTok, writes and deletes one object in S3, and opens PORT for a moment if it is free. It changes nothing else, and sends nothing without --tell.',
  options: {
    strict: { about: 'treat warnings as errors' },
    tell: { about: 'send a test message to every alarm channel' },
    post: {
      value: 'URL',
      about: 'the post to read from TikTok',
      default: canaryPost,
    },
  },
  load: async () => (await import('./doctor/doctor.ts')).runDoctor,
});

const canary = command({
  name: 'canary',
  about: 'read one post with every strategy, through each of OUTBOUND_PROXIES',
  details:
    'It also prints the size and the codecs of the post’s files. It exits with 0 if the first strategy works through every egress. With --matrix it takes up to two minutes, and exits with 0 if every egress gets the page as at least one identity.',
  arguments: { url: { about: 'a link to a post (default: one of TikTok’s own)', optional: true } },
  options: {
    matrix: { about: 'request the page as each identity, over each HTTP version, with and without cookies' },
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
