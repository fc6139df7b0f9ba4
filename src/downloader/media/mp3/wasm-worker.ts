/** The worker thread of {@link WasmEncoder}: ADTS frames in, CBR frames out, one encoding at a time. */
import { parentPort } from 'node:worker_threads';
import { adtsFrameLength } from '../adts.ts';
import { type DecodedFrame, Faad } from './faad-wasm.ts';
import { Lame } from './lame-wasm.ts';
import { mp3Bitrate } from './layout.ts';
import type { FromWorker, ToWorker } from './wasm-messages.ts';

/** Samples encoded at once: enough that the calls cost nothing, few enough that the first bytes leave early. */
const batch = 8192;
/** The most that one frame gives (HE-AAC). */
const maxFrameSamples = 2048;

const port = parentPort;
if (port === null) throw new Error('not a worker thread');

const [faad, lame] = await Promise.all([Faad.load(), Lame.load()]);

/** One stream through both codecs. */
class Transcoder {
  readonly #outputRate: number;
  readonly #channels: 1 | 2;
  /** From the first decoded frame; 0 before it. */
  #inputRate = 0;
  #frameSamples = 0;
  /** Samples waiting in LAME's input. */
  #waiting = 0;
  #silentFrames = 0;
  frames = 0;
  decoded = 0;

  constructor(outputRate: number, channels: 1 | 2) {
    this.#outputRate = outputRate;
    this.#channels = channels;
  }

  take(bytes: Uint8Array): Uint8Array[] {
    const out: Uint8Array[] = [];
    for (let at = 0, length = 0; at < bytes.length; at += length) {
      length = adtsFrameLength(bytes, at);
      if (length === 0 || at + length > bytes.length) throw new Error('not whole ADTS frames');
      const frame = bytes.subarray(at, at + length);
      if (this.frames++ === 0) faad.start(frame);
      const decoded = faad.decode(frame);
      if (decoded === null) {
        // Silence in its place, so that every encoder gives each sample at the same time.
        if (this.#inputRate === 0) this.#silentFrames++;
        else this.#add(null, out);
        continue;
      }
      this.decoded++;
      if (this.#inputRate === 0) this.#begin(decoded, out);
      else if (decoded.sampleRate !== this.#inputRate)
        throw new Error(`sample rate became ${decoded.sampleRate}`);
      this.#add(decoded, out);
    }
    return out;
  }

  finish(): Uint8Array[] {
    if (this.#inputRate === 0) return [];
    const out = this.#waiting > 0 ? [lame.encode(this.#waiting)] : [];
    this.#waiting = 0;
    out.push(lame.flush());
    return out;
  }

  #begin({ sampleRate, samples }: DecodedFrame, out: Uint8Array[]): void {
    this.#inputRate = sampleRate;
    this.#frameSamples = samples;
    const settings = { channels: this.#channels, inputRate: sampleRate, outputRate: this.#outputRate };
    lame.start({ ...settings, bitrate: mp3Bitrate / 1000, batch: batch + maxFrameSamples });
    for (; this.#silentFrames > 0; this.#silentFrames--) this.#add(null, out);
  }

  #add(frame: DecodedFrame | null, out: Uint8Array[]): void {
    const { samples: into, left, right } = lame.input();
    const count = Math.min(frame?.samples ?? this.#frameSamples, maxFrameSamples);
    const l = left + this.#waiting;
    const r = right + this.#waiting;
    if (frame === null) {
      into.fill(0, l, l + count);
      into.fill(0, r, r + count);
    } else {
      const { heap, at, channels } = frame;
      const second = channels > 1 ? 1 : 0;
      for (let n = 0, from = at; n < count; n++, from += channels) {
        into[r + n] = heap[from + second] ?? 0;
        into[l + n] = heap[from] ?? 0;
      }
    }
    this.#waiting += count;
    if (this.#waiting < batch) return;
    out.push(lame.encode(this.#waiting));
    this.#waiting = 0;
  }
}

let current: Transcoder | null = null;

function answer(message: ToWorker): FromWorker | null {
  if (message.type === 'start') {
    current = new Transcoder(message.sampleRate, message.channels);
    return null;
  }
  if (current === null) throw new Error(`'${message.type}' before 'start'`);
  if (message.type === 'frames') return { type: 'mp3', bytes: Buffer.concat(current.take(message.bytes)) };
  const { frames, decoded } = current;
  const bytes = Buffer.concat(current.finish());
  current = null;
  faad.end();
  lame.end();
  return { type: 'done', bytes, frames, decoded };
}

function send(message: FromWorker): void {
  if ('bytes' in message) {
    // A copy with a buffer of its own: Buffer.concat may lend from a pool, which cannot be handed over.
    const bytes = new Uint8Array(message.bytes);
    port?.postMessage({ ...message, bytes }, [bytes.buffer]);
  } else {
    port?.postMessage(message);
  }
}

port.on('message', (message: ToWorker) => {
  try {
    const reply = answer(message);
    if (reply !== null) send(reply);
  } catch (error) {
    // The thread is replaced: after a trap the codecs' memory cannot be trusted.
    send({ type: 'failed', note: error instanceof Error ? error.message : String(error) });
  }
});
send({ type: 'ready' });
