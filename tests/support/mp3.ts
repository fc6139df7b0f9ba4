/** A player's view of an mp3, read by a parser that is independent of the product's. */
export interface ReadMp3 {
  /** Text frames of the ID3v2.3 tag by their name; `APIC` holds the picture's size in bytes. */
  readonly tag: Readonly<Record<string, string>>;
  readonly frames: number;
  readonly bitrates: ReadonlySet<number>;
  readonly durationS: number;
  /** Bytes after the last whole frame. */
  readonly rest: number;
}

const bitrates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const sampleRates = [44_100, 48_000, 32_000];

const syncsafe = (bytes: Buffer, at: number) =>
  bytes.subarray(at, at + 4).reduce((sum, byte) => sum * 128 + byte, 0);

function textOf(content: Buffer): string {
  const text = content[0] === 1 ? content.toString('utf16le', 3) : content.toString('latin1', 1);
  return text.replace(/\0+$/, '');
}

/** Reads an mp3 of MPEG-1 layer III (ISO/IEC 11172-3) with an ID3v2.3 tag. @throws when it is not one */
export function readMp3(bytes: Buffer): ReadMp3 {
  if (bytes.toString('latin1', 0, 3) !== 'ID3' || bytes[3] !== 3) throw new Error('no ID3v2.3 tag');
  const end = 10 + syncsafe(bytes, 6);
  const tag: Record<string, string> = {};
  for (let at = 10; at + 10 < end && bytes[at] !== 0; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32BE(at + 4);
    tag[name] = name === 'APIC' ? String(size) : textOf(bytes.subarray(at + 10, at + 10 + size));
    at += 10 + size;
  }
  const found = new Set<number>();
  let at = end;
  let frames = 0;
  let durationS = 0;
  while (at + 4 <= bytes.length) {
    const header = bytes.readUInt32BE(at);
    if (header >>> 20 !== 0xfff) throw new Error(`no frame at ${at} after ${frames} frames`);
    const bitrate = bitrates[(header >>> 12) & 15] ?? 0;
    const sampleRate = sampleRates[(header >>> 10) & 3] ?? 0;
    const length = Math.floor((144_000 * bitrate) / sampleRate) + ((header >>> 9) & 1);
    if (at + length > bytes.length) break;
    found.add(bitrate);
    frames++;
    durationS += 1152 / sampleRate;
    at += length;
  }
  return { tag, frames, bitrates: found, durationS, rest: bytes.length - at };
}
