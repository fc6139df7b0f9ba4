/**
 * Encodes one mp3 out of what the server sends, with the codecs that the server has and in the same steps: the file is the
 * same to the byte. It does one order, and is ended by its page.
 */

import { decoder as createDecoder } from '@audio/decode-aac';
import { createEncoder } from 'wasm-media-encoders';
import { fitMp3, mp3Length } from '../../../downloader/media/mp3/fit.ts';
import { encodeFrames } from './encode-frames.ts';
import type { EncodeOrder, FromWorker } from './messages.ts';
import { openFrames } from './read-frames.ts';
import { Stopwatch, TooSlow } from './stopwatch.ts';

declare const self: DedicatedWorkerGlobalScope;

function send(message: FromWorker, transfer: Transferable[] = []): void {
  self.postMessage(message, transfer);
}

/** Sends a copy with a buffer of its own, which can be handed over. */
function sendBytes(bytes: Uint8Array): void {
  const own = new Uint8Array(bytes);
  send({ type: 'mp3', bytes: own }, [own.buffer]);
}

async function encode({ frames, lame: lameAddress, leastSpeed }: EncodeOrder): Promise<void> {
  const [opened, decoder, lame] = await Promise.all([
    openFrames(frames),
    createDecoder(),
    createEncoder('audio/mpeg', lameAddress),
  ]);
  if (opened === null) return send({ type: 'declined' });
  const { head, tag, chunks } = opened;
  const { facts, fade, name } = head;
  send({ type: 'began', name, bytes: tag.length + mp3Length(facts) });
  sendBytes(tag);
  const stopwatch = new Stopwatch(facts, leastSpeed, () => send({ type: 'proven' }));
  const encoded = encodeFrames(chunks, { decoder, lame, facts, fade, stopwatch });
  for await (const bytes of fitMp3(encoded, facts)) sendBytes(bytes);
  send({ type: 'done' });
}

self.addEventListener('message', ({ data }: MessageEvent<EncodeOrder>) => {
  encode(data).catch((thrown: unknown) =>
    send(thrown instanceof TooSlow ? { type: 'slow' } : { type: 'failed', note: String(thrown) }),
  );
});
