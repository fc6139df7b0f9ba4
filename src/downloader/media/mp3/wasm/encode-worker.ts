/**
 * The encoding thread of a {@link WasmEncoder} pair: samples in, CBR frames out, one encoding at a time. It starts the
 * decoding thread itself, so that both end together. Two threads, since one alone takes longer than the download.
 */
import { MessageChannel, parentPort, Worker, workerData } from 'node:worker_threads';
import { mp3Bitrate } from '../layout.ts';
import { fadeOut } from './fade-out.ts';
import { Lame } from './lame-wasm.ts';
import type { DecoderStart, FromEncoder, ToEncoder, WorkerStart } from './wasm-messages.ts';

/** Samples encoded at once: enough that the calls cost nothing, few enough that the first bytes leave early. */
const batch = 8192;

const port = parentPort;
if (port === null) throw new Error('not a worker thread');

const { port1: samples, port2: decoderEnd } = new MessageChannel();
const { frames } = workerData as WorkerStart;
const decoder = new Worker(new URL('./decode-worker.ts', import.meta.url), {
  workerData: { frames, samples: decoderEnd } satisfies DecoderStart,
  transferList: [frames, decoderEnd],
  resourceLimits: { maxOldGenerationSizeMb: 128 },
  env: {},
});
decoder.on('error', (error) => {
  throw error;
});
const lame = await Lame.load();

/** Whether LAME has a stream; samples that come before are none. */
let begun = false;
let channels: 1 | 2 = 2;
let fade: (left: Float32Array, right: Float32Array) => void = () => {};

function encode({ left, right }: { left: Float32Array; right: Float32Array }): Uint8Array[] {
  const out: Uint8Array[] = [];
  for (let at = 0; at < left.length; at += batch) {
    const count = Math.min(batch, left.length - at);
    const { samples: into, left: l, right: r } = lame.input();
    if (right.length > 0) into.set(right.subarray(at, at + count), r);
    into.set(left.subarray(at, at + count), l);
    out.push(lame.encode(count));
  }
  return out;
}

function silence(count: number): Uint8Array[] {
  const none = new Float32Array(count);
  return encode({ left: none, right: channels === 2 ? none : new Float32Array(0) });
}

function answer(message: ToEncoder): FromEncoder | null {
  switch (message.type) {
    case 'start':
      begun = true;
      channels = message.channels;
      fade = fadeOut(message.fade, message.inputRate);
      lame.start({ ...message, bitrate: mp3Bitrate / 1000, batch });
      return null;
    case 'samples':
      fade(message.left, message.right);
      return { type: 'mp3', bytes: Buffer.concat(encode(message)) };
    case 'end': {
      const bytes = begun ? Buffer.concat([...silence(message.missing), lame.flush()]) : new Uint8Array(0);
      begun = false;
      lame.end();
      return { type: 'done', bytes, frames: message.frames, decoded: message.decoded };
    }
    case 'ready':
    case 'failed':
      return message;
  }
}

function send(message: FromEncoder): void {
  if ('bytes' in message) {
    // A copy with a buffer of its own: Buffer.concat may lend from a pool, which cannot be handed over.
    const bytes = new Uint8Array(message.bytes);
    port?.postMessage({ ...message, bytes }, [bytes.buffer]);
  } else {
    port?.postMessage(message);
  }
}

samples.on('message', (message: ToEncoder) => {
  try {
    const reply = answer(message);
    if (reply !== null) send(reply);
  } catch (error) {
    // The threads are replaced: after a trap the codec's memory cannot be trusted.
    send({ type: 'failed', note: error instanceof Error ? error.message : String(error) });
  }
});
