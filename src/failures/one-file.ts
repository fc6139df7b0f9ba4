import { Failure, type FailureKey } from './failures.ts';

/** Failures of a single file of a post, which say nothing about the post's others. */
const ofOneFile: ReadonlySet<FailureKey> = new Set([
  'media_unavailable',
  'media_host_unknown',
  'media_invalid',
  'media_too_large',
  'platform_timeout',
  'option_missing',
  'sound_missing',
  'sound_unsupported',
]);

/** Whether the failure concerns the file only that was read, so that the post's others may work. */
export const isOfOneFile = (thrown: unknown): thrown is Failure =>
  thrown instanceof Failure && ofOneFile.has(thrown.key);
