import type { ServerResponse } from 'node:http';

/** Why work for a request was ended: nobody waits for its answer any more. That is no trouble of ours. */
class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected';
}

/** For work that is done for everybody. */
export const neverAborted = new AbortController().signal;

/** Does something once a response is done with its connection: at once where its `close` has been told already. */
export function onceClosed(response: ServerResponse, then: () => void): void {
  if (response.closed) then();
  else response.once('close', then);
}

/** Made when somebody asks whether the client went away before it had its answer: most never do. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(new ClientDisconnected('The client went away.'));
  if (response.closed && !response.writableFinished) abort();
  response.once('close', () => {
    if (!response.writableFinished) abort();
  });
  return controller.signal;
}

/** Whether this was thrown because the client went away, however many errors were made of it on the way. */
export function isDisconnect(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause)
    if (error instanceof ClientDisconnected) return true;
  return false;
}
