import type { ServerResponse } from 'node:http';

/** Made when somebody asks whether the client went away before it had its answer: most never do. */
export function whenLeaving(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  const left = () => leaving.abort(new Error('The client went away.'));
  if (response.closed && !response.writableFinished) left();
  response.once('close', () => {
    if (!response.writableFinished) left();
  });
  return leaving.signal;
}
