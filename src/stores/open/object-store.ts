import type { Logger } from 'pino';
import type { Environment } from '../../process/environment.ts';
import { EnvironmentError } from '../../process/variables.ts';
import { type ObjectStore, ObjectStoreRefused } from '../contracts/object-store.ts';

type Settings = Pick<
  Environment,
  'S3_ENDPOINT' | 'S3_BUCKET' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'
>;

/** The variable to blame when the store refuses with this code; other codes mean the store itself. */
const wrongVariables: Readonly<Record<string, string>> = {
  NoSuchBucket: 'S3_BUCKET',
  InvalidBucketName: 'S3_BUCKET',
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY',
  AuthorizationHeaderMalformed: 'S3_REGION',
  PermanentRedirect: 'S3_REGION',
};

/**
 * Connects to the S3-compatible store that the environment names; null, with no code loaded, when it names none. An
 * unreachable store is no obstacle: the instance starts without it.
 * @throws EnvironmentError when the store rejects the settings
 */
export async function openObjectStore(environment: Settings, logger: Logger): Promise<ObjectStore | null> {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = environment;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return null;
  const { createS3Client } = await import('../scale-out/s3/s3-client.ts');
  const client = createS3Client({
    endpoint: S3_ENDPOINT,
    bucket: S3_BUCKET,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    onAway: (reason) =>
      logger.warn({ reason }, 'S3 does not respond: files are kept on this machine for now'),
    onReturn: () => logger.info('S3 responds again'),
  });
  try {
    await client.check();
  } catch (error) {
    if (error instanceof ObjectStoreRefused) {
      await client.close();
      const name = wrongVariables[error.code] ?? 'S3_ENDPOINT';
      throw new EnvironmentError(`${name}: ${error.message}`, { cause: error });
    }
  }
  return client;
}
