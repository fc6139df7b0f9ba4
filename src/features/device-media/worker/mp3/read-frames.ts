import { adtsFrameEnds, adtsFrameLength, adtsHeaderBytes } from '../../../../downloader/media/adts.ts';
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
