import { adtsFrameEnds, adtsFrameLength, adtsHeaderBytes } from '../../../../downloader/media/adts.ts';
import type { FadeOut, SoundFacts } from '../../../../downloader/media/contracts.ts';
import {
  type AacDecoder,
  Decoding,
  decodingSettings,
  requireSound,
} from '../../../../downloader/media/mp3/wasm/decoding.ts';
import { Encoding, type Lame } from '../../../../downloader/media/mp3/wasm/encoding.ts';
import type { ToEncoder } from '../../../../downloader/media/mp3/wasm/wasm-messages.ts';
import { headLengthBytes, maxHeadBytes, readHead } from '../../wire/frames.ts';
import { ArrivingBytes } from '../arriving-bytes.ts';

/** About a second of sound, as much as the server hands to its own encoder at once. */
const chunkBytes = 16 * 1024;

/**
 * Asks for a sound's frames.
 * @throws Error when the server refuses, as it also does where its own file is to be taken, or answers something else
 */
export async function openFrames(address: string) {
  const response = await fetch(address);
  if (response.status !== 200 || response.body === null)
    throw new Error(`${address} answers ${response.status}`);
  return readFrames(response.body);
}

/**
 * The parts of an answer with a sound's frames: whole ADTS frames, about a second each time, which throw when they end
 * early, or are none.
 * @throws Error, ZodError, SyntaxError when it is none
 */
export async function readFrames(body: ReadableStream<Uint8Array>) {
  const bytes = new ArrivingBytes(body);
  const lengthBytes = await bytes.take(headLengthBytes);
  const headBytes = new DataView(lengthBytes.buffer, lengthBytes.byteOffset).getUint32(0);
  if (headBytes > maxHeadBytes) throw new Error(`a head of ${headBytes} bytes`);
  const head = readHead(await bytes.take(headBytes));
  const tag = await bytes.take(head.tagBytes);
  return { head, tag, chunks: framesOf(bytes, head.facts.bytes) };
}

async function* framesOf(bytes: ArrivingBytes, total: number): AsyncGenerator<Uint8Array> {
  for (let left = total; left > 0; ) {
    await bytes.fill(Math.min(left, chunkBytes));
    let length = wholeFrames(bytes.held);
    // The last frame that was looked at may be longer than what is there.
    if (length === 0) {
      await bytes.fill(Math.min(left, adtsHeaderBytes));
      const first = adtsFrameLength(bytes.held, 0);
      if (first === 0) throw new Error('not whole ADTS frames');
      await bytes.fill(first);
      length = first;
    }
    left -= length;
    yield await bytes.take(length);
  }
}

/** Bytes of the frames that are there as a whole, until a chunk is full. */
function wholeFrames(held: Uint8Array): number {
  let at = 0;
  for (const end of adtsFrameEnds(held)) {
    at = end;
    if (at >= chunkBytes) break;
  }
  return at;
}

/** This device takes longer than is worth waiting for. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** Seconds of sound by which it shows: by then the browser has compiled the codecs. */
const provenByS = 10;
/** A device that is far too slow is not waited for so long, in ms of encoding. */
const patienceMs = 4000;

/** Runs a piece of the work. @param soundS seconds of sound that it encodes @throws TooSlow after it, when that is plain */
export type Measure = (soundS: number, task: () => void) => void;

/**
 * Measures how fast a sound is encoded: the work alone, not the waiting for its bytes.
 * @param leastSpeed seconds of sound in a second
 * @param proven called once, when it is fast enough
 */
export function createStopwatch(
  durationS: number,
  leastSpeed: number,
  proven: () => void,
  now: () => number = () => performance.now(),
): Measure {
  const enoughS = Math.min(provenByS, durationS / 2);
  let [spentMs, doneS, isProven] = [0, 0, false];
  return (soundS, task) => {
    const startMs = now();
    task();
    spentMs += now() - startMs;
    doneS += soundS;
    if (isProven || (doneS < enoughS && spentMs < patienceMs)) return;
    if (doneS < (spentMs / 1000) * leastSpeed) throw new TooSlow(`${spentMs} ms`);
    isProven = doneS >= enoughS;
    if (isProven) proven();
  };
}

interface EncodeOptions {
  /** A new one. */
  readonly decoder: AacDecoder;
  readonly lame: Lame;
  readonly facts: SoundFacts;
  readonly fade: FadeOut | null;
  readonly measure: Measure;
}

/**
 * Whole ADTS frames through both codecs, one after the other in this thread.
 * @throws Failure `conversion_failed`; TooSlow; what the codecs throw
 */
export async function* encodeFrames(
  chunks: AsyncIterable<Uint8Array>,
  { decoder, lame, facts, fade, measure }: EncodeOptions,
): AsyncGenerator<Uint8Array> {
  const encoding = new Encoding(lame);
  let out: Uint8Array[] = [];
  let counted = { frames: 0, decoded: 0 };
  const take = (message: ToEncoder): void => {
    switch (message.type) {
      case 'start':
        encoding.start(message);
        return;
      case 'samples':
        out = encoding.samples(message);
        return;
      case 'end':
        counted = message;
        out = encoding.end(message.missing);
        return;
      default:
        throw new Error(`the decoder says '${message.type}'`);
    }
  };
  const decoding = new Decoding(decoder, decodingSettings(facts, fade), take);
  const secondsOf = (bytes: number) => (bytes / facts.bytes) * facts.durationS;
  for await (const chunk of chunks) {
    measure(secondsOf(chunk.length), () => decoding.take(chunk));
    yield* taken();
  }
  decoding.end();
  requireSound(counted);
  yield* taken();

  function* taken(): Generator<Uint8Array> {
    const made = out;
    out = [];
    for (const bytes of made) if (bytes.length > 0) yield bytes;
  }
}
