import type { Logger } from 'pino';
import type { KeptFiles } from '../../stores/contracts/kept-files.ts';
import { openKeptFilesFolder } from '../../stores/embedded/kept-files-folder.ts';
import type { S3Client } from '../../stores/scale-out/s3/s3-client.ts';
import type { Environment } from '../process/environment.ts';

/** The place for finished conversions. */
export interface KeptFilesParts {
  /** This machine's folder, and where there is one the store that all instances share. */
  readonly kept: KeptFiles;
  /** The folder alone, for what another machine keeps. Closed with the other. */
  readonly local: KeptFiles;
}

/** Opens a folder of this machine, and where there is one the store. */
export async function openKeptFiles(
  { KEPT_FILES_MB }: Pick<Environment, 'KEPT_FILES_MB'>,
  folder: string,
  s3: S3Client | null,
  logger: Logger,
): Promise<KeptFilesParts> {
  const local = await openKeptFilesFolder({
    folder,
    maxBytes: KEPT_FILES_MB * 2 ** 20,
    now: Date.now,
    onError: (error) => logger.error({ err: error }, 'a kept file could not be deleted'),
  });
  if (s3 === null) return { kept: local, local };
  const { openKeptFilesInS3 } = await import('../../stores/scale-out/s3/kept-files-s3.ts');
  const kept = openKeptFilesInS3({
    client: s3,
    local,
    prefix: 'conversions/',
    now: Date.now,
    onError: (error) => logger.error({ err: error }, 'S3 refused a file'),
  });
  return { kept, local };
}
