import { command } from '../../../server/commands/declaration.ts';

export const backup = command({
  name: 'backup',
  about: 'back up all data of the running site to one archive',
  details:
    'The archive holds the database (of PostgreSQL, too, as a file of SQLite), the key file, the site configuration and pictures from S3. It is as confidential as they are (mode 0600). Environment variables are not in it.',
  arguments: { file: { about: 'the archive to write; - for standard output' } },
  load: async () => (await import('./backup.ts')).runBackup,
});

export const restore = command({
  name: 'restore',
  about: 'restore an archive into an empty installation',
  details:
    'The whole archive is checked before anything is changed. The data of SQLite goes into PostgreSQL, and the reverse. A database of an older version is migrated; one of a newer version is refused.',
  arguments: { file: { about: 'the archive to restore; - for standard input' } },
  options: { replace: { about: 'overwrite existing data; stop the site first' } },
  load: async () => (await import('./restore.ts')).runRestore,
});
