import { command } from '../../../server/commands/declaration.ts';

export const backup = command({
  name: 'backup',
  about: 'back up all data of the running site to one archive',
  details:
    'The archive contains the database (as an SQLite file, PostgreSQL’s too), the key file, the site configuration and the pictures in S3, but no environment variables. It is confidential: its mode is 0600.',
  arguments: { file: { about: 'the archive to write; - for standard output' } },
  load: async () => (await import('./backup.ts')).runBackup,
});

export const restore = command({
  name: 'restore',
  about: 'restore an archive into an empty installation',
  details:
    'The whole archive is checked before anything changes. A backup of SQLite can be restored into PostgreSQL, and the reverse. Data of an older version is migrated; data of a newer one is refused.',
  arguments: { file: { about: 'the archive to restore; - for standard input' } },
  options: { replace: { about: 'overwrite existing data; stop the site first' } },
  load: async () => (await import('./restore.ts')).runRestore,
});
