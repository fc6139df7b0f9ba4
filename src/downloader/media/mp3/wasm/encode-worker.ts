/**
 * The encoding thread of a {@link WasmEncoder} pair: takes samples, gives CBR frames, one encoding at a time. It starts
 * the decoding thread itself, so that both end together. There are two threads because a single one is slower than the
 * download.
 */
import { readFile } from 'node:fs/promises';
import { MessageChannel, parentPort, Worker, workerData } from 'node:worker_threads';
import { createEncoder } from 'wasm-media-encoders';
import { Encoding } from './encoding.ts';
import type { DecoderStart, FromEncoder, ToEncoder, WorkerStart } from './wasm-messages.ts';

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
const lame = await readFile(new URL(import.meta.resolve('wasm-media-encoders/wasm/mp3')));
const encoding = new Encoding(await createEncoder('audio/mpeg', lame));

function answer(message: ToEncoder): FromEncoder | null {
  switch (message.type) {
    case 'start':
      encoding.start(message);
      return null;
    case 'samples':
      return { type: 'mp3', bytes: Buffer.concat(encoding.samples(message)) };
    case 'end': {
      const { frames, decoded, missing } = message;
      return { type: 'done', bytes: Buffer.concat(encoding.end(missing)), frames, decoded };
    }
    case 'ready':
    case 'failed':
      return message;
  }
}

function send(message: FromEncoder): void {
  if ('bytes' in message) {
    // A copy with its own buffer: Buffer.concat may use a pool, which cannot be transferred.
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
