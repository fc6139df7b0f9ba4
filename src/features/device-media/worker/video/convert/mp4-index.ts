/*
 * Puts an mp4's index (`moov`) before its media, and a track of text into it (ISO/IEC 14496-12; 3GPP TS 26.245 for
 * `tx3g`). The media are not touched: the new file is made of the old one's pieces.
 */
import type { Cue } from '../../../../../downloader/captions/cues.ts';
import { joined } from '../../../../../downloader/media/joined.ts';
import { Refusal, type VideoOrder } from '../../messages.ts';

/** A box at the top of a file, or inside another one. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly size: number;
}

/** Captions as a track. */
export interface TextTrack {
  /** In order of time. */
  readonly cues: readonly Cue[];
  /** A language tag. */
  readonly language: string;
  readonly durationS: number;
}

/** An index of an hour has some 10 MB. */
const maxIndexBytes = 64 * 2 ** 20;
const maxBoxes = 10_000;
const longHeader = 16;

// What boxes are written with; the high byte of numbers comes first.
const bytes = (...values: number[]) => Uint8Array.from(values);
const zeros = (count: number) => new Uint8Array(count);
/** A name, whose letters are one byte each. */
const letters = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const u16 = (...values: number[]) => Uint8Array.from(values.flatMap((one) => [one >>> 8, one & 0xff]));
const u32 = (...values: number[]) => u16(...values.flatMap((one) => [one >>> 16, one & 0xffff]));

function box(type: string, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return joined(u32(8 + parts.reduce((sum, { length }) => sum + length, 0)), letters(type), ...parts);
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function boxAt(bytes: Uint8Array, start: number, at: number, end: number): Box {
  const view = viewOf(bytes);
  if (at + 8 > bytes.length) throw new Refusal('unreadable', `a box that ends at ${end}`);
  const short = view.getUint32(at);
  const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
  const size = short === 0 ? end - start : short === 1 ? Number(view.getBigUint64(at + 8)) : short;
  if (size < 8 || start + size > end) throw new Refusal('unreadable', `a box ${type} of ${size} bytes`);
  return { type, start, size };
}

/** The boxes of a file. @throws Refusal `unreadable` where it is no mp4, or not whole */
export async function topBoxes(file: Blob): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let start = 0; start < file.size; start += boxes.at(-1)?.size ?? 0) {
    if (boxes.length > maxBoxes) throw new Refusal('unreadable', 'too many boxes');
    const head = new Uint8Array(await file.slice(start, start + longHeader).arrayBuffer());
    boxes.push(boxAt(head, start, 0, file.size));
  }
  return boxes;
}

function* boxesIn(bytes: Uint8Array, start: number, end: number): Generator<Box> {
  for (let at = start; at < end; ) {
    const box = boxAt(bytes, at, at, end);
    yield box;
    at += box.size;
  }
}

const containers = new Set(['trak', 'mdia', 'minf', 'stbl']);

/** Rewrites where each chunk of media lies. */
function moveChunks(moov: Uint8Array, start: number, end: number, moved: (offset: number) => number): void {
  const view = viewOf(moov);
  for (const box of boxesIn(moov, start, end)) {
    if (containers.has(box.type)) moveChunks(moov, box.start + 8, box.start + box.size, moved);
    const width = { stco: 4, co64: 8 }[box.type];
    if (width === undefined) continue;
    const count = view.getUint32(box.start + 12);
    if (16 + count * width > box.size) throw new Refusal('unreadable', `${count} chunks`);
    for (let n = 0, at = box.start + 16; n < count; n += 1, at += width)
      if (width === 4) view.setUint32(at, moved(view.getUint32(at)));
      else view.setBigUint64(at, BigInt(moved(Number(view.getBigUint64(at)))));
  }
}

/** An index with other tags, as iTunes writes them: what the platform wrote says nothing of the post. */
function withTags(moov: Uint8Array, { title, artist, comment }: VideoOrder['tags']): Uint8Array {
  const kept = [...boxesIn(moov, 8, moov.length)].filter(({ type }) => type !== 'udta' && type !== 'meta');
  const item = (name: string, text: string) =>
    text === '' ? bytes() : box(name, box('data', u32(1, 0), new TextEncoder().encode(text)));
  const hdlr = box('hdlr', u32(0), u32(0), letters('mdirappl'), zeros(9));
  const ilst = box('ilst', item('\xa9nam', title), item('\xa9ART', artist), item('\xa9cmt', comment));
  return box(
    'moov',
    ...kept.map(({ start, size }) => moov.subarray(start, start + size)),
    box('udta', box('meta', u32(0), hdlr, ilst)),
  );
}

/**
 * The same mp4 with its index first.
 * @param tags in place of its own; null for these
 * @returns the pieces of the new file
 * @throws Refusal `unreadable` where it is none, or one of fragments
 */
export async function indexFirst(
  file: Blob,
  text: TextTrack | null,
  tags: VideoOrder['tags'] | null,
): Promise<Blob[]> {
  const boxes = await topBoxes(file);
  const index = boxes.find(({ type }) => type === 'moov');
  if (index === undefined || index.size > maxIndexBytes || boxes.some(({ type }) => type === 'moof'))
    throw new Refusal('unreadable', 'no index');
  const found = new Uint8Array(await file.slice(index.start, index.start + index.size).arrayBuffer());
  const old = tags === null ? found : withTags(found, tags);
  const samples = text === null ? null : samplesOf(text);
  // Written twice: how long it is does not depend on where the text lies.
  const grown = (textAt: number) =>
    text === null || samples === null ? old : withTrack(old, text, samples, textAt);
  const first = boxes.filter(({ type }) => type === 'ftyp');
  const others = boxes.filter((box) => box !== index && box.type !== 'ftyp' && box.type !== 'free');
  const sizes = (some: readonly Box[]) => some.reduce((sum, { size }) => sum + size, 0);
  const indexEnd = sizes(first) + grown(0).length;
  const textAt = indexEnd + sizes(others) + 8;
  const moov = grown(textAt).slice();
  let at = indexEnd;
  const placed = others.map((box) => {
    const by = at - box.start;
    at += box.size;
    return { ...box, by };
  });
  // The text's own chunk is where it belongs, outside of all of these.
  const moved = (offset: number) =>
    offset + (placed.find(({ start, size }) => offset >= start && offset < start + size)?.by ?? 0);
  moveChunks(moov, 8, old.length, moved);
  const piece = ({ start, size }: Box) => file.slice(start, start + size);
  return [
    ...first.map(piece),
    new Blob([moov]),
    ...others.map(piece),
    ...(samples === null ? [] : [new Blob([box('mdat', ...samples.map(({ bytes }) => bytes))])]),
  ];
}

interface TextSample {
  readonly bytes: Uint8Array;
  readonly durationMs: number;
}

/** A sample for each caption, and an empty one between two. Where captions overlap, the later one ends the earlier. */
function samplesOf({ cues, durationS }: TextTrack): TextSample[] {
  const samples: TextSample[] = [];
  const endMs = Math.round(durationS * 1000);
  let atMs = 0;
  const add = (text: string, untilMs: number) => {
    if (untilMs <= atMs) return;
    const written = new TextEncoder().encode(text);
    samples.push({ bytes: joined(u16(written.length), written), durationMs: untilMs - atMs });
    atMs = untilMs;
  };
  for (const [n, { startMs, endMs: cueEndMs, text }] of cues.entries()) {
    add('', Math.min(startMs, endMs));
    add(text, Math.min(cueEndMs, cues[n + 1]?.startMs ?? endMs, endMs));
  }
  add('', endMs);
  return samples;
}

function withTrack(
  old: Uint8Array,
  text: TextTrack,
  samples: readonly TextSample[],
  textAt: number,
): Uint8Array {
  const moov = old.slice();
  const header = [...boxesIn(moov, 8, moov.length)].find(({ type }) => type === 'mvhd');
  if (header === undefined || header.size < 108) throw new Refusal('unreadable', 'no header of the movie');
  const view = viewOf(moov);
  const timescale = view.getUint32(header.start + (moov[header.start + 8] === 1 ? 28 : 20));
  const idAt = header.start + header.size - 4;
  const id = view.getUint32(idAt);
  view.setUint32(idAt, id + 1);
  const track = trackOf(id, Math.round(text.durationS * timescale), text, samples, textAt);
  const grown = joined(moov, track);
  viewOf(grown).setUint32(0, grown.length);
  return grown;
}

/** ISO 639-2/T by ISO 639-1, which old players read; the others read `elng`. */
const threeLetters = new Map(
  `ar:ara cs:ces da:dan de:deu el:ell en:eng es:spa fi:fin fr:fra he:heb hi:hin
  hu:hun id:ind it:ita ja:jpn ko:kor ms:msa nl:nld no:nor pl:pol pt:por ro:ron
  ru:rus sv:swe th:tha tr:tur uk:ukr vi:vie zh:zho`
    .split(/\s+/)
    .map((pair): [string, string] => [pair.slice(0, 2), pair.slice(3)]),
);

function trackOf(
  id: number,
  movieDuration: number,
  { language }: TextTrack,
  samples: readonly TextSample[],
  textAt: number,
): Uint8Array {
  const code = threeLetters.get(language.split('-', 1)[0] ?? '') ?? 'und';
  const packed = [...code].reduce((all, letter) => (all << 5) | (letter.charCodeAt(0) - 0x60), 0);
  const durationMs = samples.reduce((sum, sample) => sum + sample.durationMs, 0);
  const matrix = u32(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000);
  const sizes = samples.map(({ bytes }) => bytes.length);
  const stbl = box(
    'stbl',
    box('stsd', u32(0, 1), textEntry()),
    box('stts', u32(0, samples.length, ...samples.flatMap(({ durationMs: ms }) => [1, ms]))),
    box('stsc', u32(0, 1, 1, samples.length, 1)),
    box('stsz', u32(0, 0, samples.length, ...sizes)),
    box('stco', u32(0, 1, textAt)),
  );
  const dinf = box('dinf', box('dref', u32(0, 1), box('url ', u32(1))));
  return box(
    'trak',
    // Enabled, in the movie; of the group of texts.
    box('tkhd', u32(3, 0, 0, id, 0, movieDuration, 0, 0), u16(0, 2, 0, 0), matrix, zeros(8)),
    box(
      'mdia',
      box('mdhd', u32(0, 0, 0, 1000, durationMs), u16(packed, 0)),
      box('hdlr', u32(0, 0), letters('sbtl'), zeros(12), letters('\0')),
      box('elng', u32(0), letters(`${language}\0`)),
      box('minf', box('nmhd', u32(0)), dinf, stbl),
    ),
  );
}

/** White letters, centred at the foot of the picture. */
const textEntry = () =>
  box(
    'tx3g',
    ...[zeros(6), u16(1), u32(0)],
    // Centred; from below; no background; the whole picture.
    ...[bytes(1, 0xff), zeros(12)],
    // All letters in font 1, of 18, white.
    ...[u16(0, 0, 1), bytes(0, 18, 255, 255, 255, 255)],
    box('ftab', u16(1, 1), bytes(5), letters('Serif')),
  );
