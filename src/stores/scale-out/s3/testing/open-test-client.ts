import type { S3Double } from '../../../../../doubles/s3/server.ts';
import { createS3Client, type S3Client, type S3Options } from '../s3-client.ts';

/** A client of the S3 double. */
export function openTestClient({ environment }: S3Double, changes: Partial<S3Options> = {}): S3Client {
  return createS3Client({
    endpoint: environment.S3_ENDPOINT,
    bucket: environment.S3_BUCKET,
    region: environment.S3_REGION,
    accessKeyId: environment.S3_ACCESS_KEY_ID,
    secretAccessKey: environment.S3_SECRET_ACCESS_KEY,
    onAway: () => {},
    onReturn: () => {},
    ...changes,
  });
}
