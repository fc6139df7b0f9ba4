/** The decoding thread of a {@link WasmEncoder} pair: ADTS frames in, samples out to the encoding thread. */
import { workerData } from 'node:worker_threads';
import { Decoding } from './decoding.ts';
import { loadFaad } from './load-codecs.ts';
import type { DecoderStart, ToDecoder, ToEncoder } from './wasm-messages.ts';

const { frames: input, samples: output } = workerData as DecoderStart;
const faad = await loadFaad();

function send(message: ToEncoder, transfer: ArrayBuffer[] = []): void {
  output.postMessage(message, transfer);
}

let current: Decoding | null = null;

function handle(message: ToDecoder): void {
  if (message.type === 'start') {
    current = new Decoding(faad, message, send);
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

input.on('message', (message: ToDecoder) => {
  try {
    handle(message);
  } catch (error) {
    // Both threads are replaced: after a trap the codec's memory cannot be trusted.
    send({ type: 'failed', note: error instanceof Error ? error.message : String(error) });
  }
});
send({ type: 'ready' });
