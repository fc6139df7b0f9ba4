import type { ServerResponse } from 'node:http';

/** The reason for ending the work of a request: its client has left. This is not an error of ours. */
class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected';
}

/** For work on behalf of all visitors. */
export const neverAborted = new AbortController().signal;

/** Calls back once a response is done with its connection: at once if its `close` event has fired already. */
export function onceClosed(response: ServerResponse, then: () => void): void {
  if (response.closed) then();
  else response.once('close', then);
}

/** Created on demand when somebody asks whether the client left before its response: most requests never need it. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(new ClientDisconnected('The client went away.'));
  if (response.closed && !response.writableFinished) abort();
  response.once('close', () => {
    if (!response.writableFinished) abort();
  });
  return controller.signal;
}

/** Whether this error was thrown because the client left, however it was wrapped since. */
export function isDisconnect(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause)
    if (error instanceof ClientDisconnected) return true;
  return false;
}
