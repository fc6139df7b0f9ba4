/** The decoding thread of a {@link WasmEncoder} pair: ADTS frames in, samples out to the encoding thread. */
import { workerData } from 'node:worker_threads';
import { decoder } from '@audio/decode-aac';
import { Decoding } from './decoding.ts';
import type { DecoderStart, ToDecoder, ToEncoder } from './wasm-messages.ts';

const { frames: input, samples: output } = workerData as DecoderStart;

function send(message: ToEncoder, transfer: ArrayBuffer[] = []): void {
  output.postMessage(message, transfer);
}

let current: Decoding | null = null;

async function handle(message: ToDecoder): Promise<void> {
  if (message.type === 'start') {
    current = new Decoding(await decoder(), message, send);
    return;
  }
  if (current === null) throw new Error(`'${message.type}' before 'start'`);
  if (message.type === 'frames') {
    current.take(message.bytes);
    return;
  }
  const ended = current;
  current = null;
  ended.end();
}

// Both threads are replaced: after a trap the codec's memory cannot be trusted.
const fail = (error: unknown) =>
  send({ type: 'failed', note: error instanceof Error ? error.message : String(error) });

// The first decoder compiles FAAD2.
(await decoder()).free();
let work = Promise.resolve();
input.on('message', (message: ToDecoder) => {
  work = work.then(() => handle(message)).catch(fail);
});
send({ type: 'ready' });
