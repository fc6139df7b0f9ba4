import { Failure } from '../../../failures/failures.ts';
import type { SoundFacts } from '../contracts.ts';
import { joined } from '../joined.ts';
import { infoFrame, infoFrameBytes } from './info-frame.ts';
import { bytesBefore, mp3FrameHeader, mp3Layout, silentFrame } from './layout.ts';

/** Exact bytes of the mp3 that {@link fitMp3} gives for a sound: the `Info` frame and all CBR frames, without ID3. */
export function mp3Length(facts: SoundFacts): number {
  const layout = mp3Layout(facts);
  return infoFrameBytes(layout) + layout.audioBytes;
}

const headerBytes = 4;

/** Tolerance of an encoder's output before it counts as incomplete: three frames and 2 %. */
function tolerance(frames: number): number {
  return 3 + Math.floor(frames / 50);
}

/**
 * Makes an encoder's CBR frames exactly {@link mp3Length} bytes: puts the `Info` frame first, drops excess frames,
 * replaces missing ones by silence.
 * @throws Failure `conversion_failed` for unexpected frames, or far too few or too many
 */
export async function* fitMp3(
  encoded: AsyncIterable<Uint8Array>,
  facts: SoundFacts,
): AsyncGenerator<Uint8Array> {
  const layout = mp3Layout(facts);
  const limit = bytesBefore(layout.frames + layout.surplus + tolerance(layout.frames), layout.sampleRate);
  let received = 0;
  let begin: Uint8Array = new Uint8Array(0);
  for await (const next of encoded) {
    let chunk = next;
    if (received === 0) {
      chunk = begin = begin.length === 0 ? next : joined(begin, next);
      if (begin.length < headerBytes) continue;
      requireHeader(begin, mp3FrameHeader(layout, false));
      // Only now, so that a conversion that fails at once fails before the first byte.
      yield infoFrame(layout);
    }
    const wanted = layout.audioBytes - received;
    received += chunk.length;
    if (received > limit)
      throw new Failure('conversion_failed', { note: `more than ${limit} bytes of sound` });
    if (wanted > 0) yield chunk.length <= wanted ? chunk : chunk.subarray(0, wanted);
  }
  if (received >= layout.audioBytes) return;

  let index = Math.round((received * layout.frames) / layout.audioBytes);
  const missing = layout.frames - index;
  if (
    received === 0 ||
    missing > tolerance(layout.frames) ||
    bytesBefore(index, layout.sampleRate) !== received
  ) {
    throw new Failure('conversion_failed', { note: `${received} of ${layout.audioBytes} bytes of sound` });
  }
  for (; index < layout.frames; index++) yield silentFrame(layout, index);
}

/** Same version, layer, bit rate and sample rate; the rest may change from frame to frame. */
function requireHeader(bytes: Uint8Array, header: Uint8Array): void {
  if (
    bytes[0] === header[0] &&
    bytes[1] === header[1] &&
    ((bytes[2] ?? 0) & 0xfc) === ((header[2] ?? 0) & 0xfc)
  )
    return;
  const found = Array.from(bytes.subarray(0, headerBytes), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
  throw new Failure('conversion_failed', { note: `encoder's first frame is ${found}` });
}
