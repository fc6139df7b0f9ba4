import type { ServerResponse } from 'node:http';

/** Why work for a request was ended: nobody waits for its answer any more. That is no trouble of ours. */
class ClientLeft extends Error {
  override readonly name = 'ClientLeft';
}

/** For work that is done for everybody. */
export const neverAborted = new AbortController().signal;

/** Made when somebody asks whether the client went away before it had its answer: most never do. */
export function whenLeaving(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  const left = () => leaving.abort(new ClientLeft('The client went away.'));
  if (response.closed && !response.writableFinished) left();
  response.once('close', () => {
    if (!response.writableFinished) left();
  });
  return leaving.signal;
}

/** Whether this was thrown because the client went away, however many errors were made of it on the way. */
export function isLeaving(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause)
    if (error instanceof ClientLeft) return true;
  return false;
}
