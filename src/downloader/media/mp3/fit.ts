import { Failure } from '../../../failures/failures.ts';
import type { SoundFacts } from '../contracts.ts';
import { joined } from '../joined.ts';
import { bytesBefore, type Mp3Layout, mp3Bitrate, mp3FrameHeader, mp3Layout, silentFrame } from './layout.ts';

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

/** Bytes of the leading frame: it is never padded. */
function infoFrameBytes({ sampleRate }: Pick<Mp3Layout, 'sampleRate'>): number {
  return bytesBefore(1, sampleRate);
}

/**
 * The leading `Info` frame: gives players the number of frames (the right duration without reading the file) and the
 * number of padding samples at both ends (gapless playback). Decoders that do not know it play it as silence. Layout:
 * the Xing header, then LAME's extension (http://gabriel.mp3-tech.org/mp3infotag.html).
 */
export function infoFrame(layout: Mp3Layout): Uint8Array {
  const frame = new Uint8Array(infoFrameBytes(layout));
  const view = new DataView(frame.buffer);
  frame.set(mp3FrameHeader(layout, false));
  const xing = layout.channels === 1 ? 21 : 36;
  const fields = 0b1111; // frames, bytes, table of contents, quality
  frame.set(latin1('Info'), xing);
  view.setUint32(xing + 4, fields);
  view.setUint32(xing + 8, layout.frames);
  view.setUint32(xing + 12, frame.length + layout.audioBytes);
  for (let percent = 0; percent < 100; percent++) frame[xing + 16 + percent] = (percent * 256) / 100;
  view.setUint32(xing + 116, 100 - 10 * 4);
  const lame = xing + 120;
  frame.set(latin1('LAME3.100'), lame);
  frame[lame + 9] = 0x01; // tag revision 0, CBR
  // The rate in one byte, where 255 means 255 kbit/s or more (`PutLameVBR` in LAME 3.100's VbrTag.c writes it so), and
  // twelve bits each for what lies at both ends.
  const rate = Math.min(255, mp3Bitrate / 1000);
  view.setUint32(lame + 20, rate * 2 ** 24 + layout.delay * 4096 + layout.padding);
  view.setUint32(lame + 28, frame.length + layout.audioBytes);
  view.setUint16(lame + 34, crc16(frame.subarray(0, lame + 34)));
  return frame;
}

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** CRC-16 with the reflected polynomial 0xA001, as LAME's tag uses it. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
}
