/**
 * Makes one video of a slideshow out of what the server sends, with the browser's own encoders. It does one order, and is
 * ended by its page.
 */

import { makeVideo } from './make-video.ts';
import type { FromWorker, VideoOrder } from './messages.ts';
import { readParts } from './read-parts.ts';

declare const self: DedicatedWorkerGlobalScope;

/** The share of the progress until everything has arrived, as in the server's. */
const arrivedShare = 0.4;

function send(message: FromWorker, transfer: Transferable[] = []): void {
  self.postMessage(message, transfer);
}

const say = (fraction: number) => send({ type: 'progress', fraction });

async function make({ parts: address }: VideoOrder): Promise<void> {
  const response = await fetch(address);
  if (!response.ok || response.body === null) throw new Error(`${address} answers ${response.status}`);
  const parts = await readParts(response.body, (part) => say(part * arrivedShare));
  const made = await makeVideo(parts, (part) => say(arrivedShare + part * (1 - arrivedShare)));
  send({ type: 'done', name: parts.head.name, ...made }, [made.bytes]);
}

self.addEventListener('message', ({ data }: MessageEvent<VideoOrder>) => {
  make(data).catch((thrown: unknown) => send({ type: 'failed', note: String(thrown) }));
});
