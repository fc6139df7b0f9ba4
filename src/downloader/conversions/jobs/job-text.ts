import { z } from 'zod';
import { asFailure, Failure, isFailureKey } from '../../../failures/failures.ts';
import { JobFailed } from '../../../stores/contracts/conversion-jobs.ts';
import { type ConversionWork, isConversion, readWork, writeWork } from '../../tickets/work.ts';

const writtenJob = z.object({ work: z.string(), way: z.string().optional() });

/** A conversion as the text of a job. */
export const writeJob = (work: ConversionWork): string =>
  JSON.stringify({ work: writeWork(work), ...(work.post.way !== undefined && { way: work.post.way }) });

/** The opposite of {@link writeJob}. @throws JobFailed, SyntaxError or ZodError for a text that it never writes */
export function readJob(text: string): ConversionWork {
  const { work: written, way } = writtenJob.parse(JSON.parse(text));
  const work = readWork(written);
  if (work === null || !isConversion(work)) throw new JobFailed('internal');
  return way === undefined ? work : { ...work, post: { ...work.post, way } };
}

/** Converts a failure of this instance into the form that other instances receive. */
export const asJobFailure = (error: unknown): JobFailed =>
  error instanceof JobFailed ? error : new JobFailed(asFailure(error).key);

/** Converts a failure of another instance into one of this instance; returns anything else unchanged. */
export function asOwnFailure(error: unknown): unknown {
  if (!(error instanceof JobFailed)) return error;
  const key = isFailureKey(error.key) ? error.key : 'internal';
  const { retryAfterS } = error;
  return new Failure(key, { note: 'made elsewhere', ...(retryAfterS !== undefined && { retryAfterS }) });
}
