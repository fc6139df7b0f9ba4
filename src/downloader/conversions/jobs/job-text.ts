import { z } from 'zod';
import { asFailure, Failure, isFailureKey } from '../../../failures/failures.ts';
import { JobFailed } from '../../../stores/contracts/conversion-jobs.ts';
import {
  isConversion,
  readTicketFile,
  type TicketConversion,
  writeTicketFile,
} from '../../tickets/ticket-file.ts';

/** The field names are part of the queue's format, which instances of several versions share: `way` is the egress. */
const writtenJob = z.object({ work: z.string(), way: z.string().optional() });

/** A conversion as the text of a job. */
export const writeJob = (work: TicketConversion): string =>
  JSON.stringify({
    work: writeTicketFile(work),
    ...(work.post.egress !== undefined && { way: work.post.egress }),
  });

/** The opposite of {@link writeJob}. @throws JobFailed, SyntaxError or ZodError for a text that it never writes */
export function readJob(text: string): TicketConversion {
  const { work: written, way: egress } = writtenJob.parse(JSON.parse(text));
  const work = readTicketFile(written);
  if (work === null || !isConversion(work)) throw new JobFailed('internal');
  return egress === undefined ? work : { ...work, post: { ...work.post, egress } };
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
