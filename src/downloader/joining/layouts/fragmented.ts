import { invalid } from '../../media/mp4/boxes.ts';
import { maxFragments, type SampleDefaults } from '../../media/mp4/fragment.ts';
import type { SegmentIndex } from '../../media/mp4/segment-index.ts';
import type { Track } from '../../media/mp4/track.ts';
import { box, fullBox, u32, u64 } from '../../media/mp4/write-boxes.ts';
import type { MediaTags } from '../../media/tags.ts';
import type { Feed } from '../feed.ts';
import { checkDescriptions, writeDescriptions } from './descriptions.ts';
import { FragmentWalker } from './fragment-walker.ts';
import { type Feeds, type Layout, type Part, type Piece, pieceLength } from './layout.ts';
import { copyTables, movieTimescale, writeFileType, writeMovie } from './movie-head.ts';
import type { TableTrack } from './sample-tables.ts';
import { TableFragments } from './table-fragments.ts';

/*
 * Joins two files, at least one of them fragmented, into one fragmented file: `ftyp`, a `moov` without samples, and the
 * fragments of both in decoding order. Fragments of the originals keep their length, so the total length is known.
 * Where an index (`sidx`) gives the length of each fragment, or we write the fragments, the order is known too and any
 * range can be served; otherwise the order is found while reading.
 */

/** The part of a file after its tables. */
export interface PartFragments {
  /** Offset of the first. */
  readonly start: number;
  /** The file's size; null when unknown. */
  readonly end: number | null;
  /** Covers the whole file. */
  readonly index: SegmentIndex | null;
  /** One for each track of the file. */
  readonly defaults: ReadonlyMap<number, SampleDefaults>;
}

/** A track of a file: samples that tables describe, then fragments. One of them may be missing. */
export interface FragmentTrack {
  readonly track: Track;
  readonly table: TableTrack | null;
  readonly fragments: PartFragments | null;
}

/** Fragments that stay together. */
interface Unit {
  readonly part: Part;
  readonly timeS: number;
  readonly durationS: number;
  readonly bytes: number;
  /** Position in the original. */
  readonly span: { readonly start: number; readonly end: number };
  /** The last 32 bits of its entry of `sidx`. */
  readonly access: number;
  /** @param walker of the original's own fragments */
  pass(outputAt: number, walker: FragmentWalker | null): Iterable<Piece> | AsyncIterable<Piece>;
}

interface Line {
  readonly part: Part;
  readonly id: number;
  readonly track: FragmentTrack;
  /** The units known in advance. */
  readonly units: readonly Unit[];
  /** Whether unknown further units follow. */
  readonly isOpen: boolean;
}

/** Begins with a picture that can be decoded at once (`sidx`, ISO/IEC 14496-12, 8.16.3.3). */
const syncAccess = 0x90000000;

/** Reckons the joined file as far as it can be. @throws Failure `media_invalid` */
export function layOutFragments(picture: FragmentTrack, sound: FragmentTrack, tags?: MediaTags): Layout {
  const lines = [lineOf('picture', 1, picture), lineOf('sound', 2, sound)] as const;
  const head = writeHead(lines, tags);
  return lines.some(({ isOpen }) => isOpen) ? foundOnTheWay(head, lines) : knownBeforehand(head, lines);
}

function lineOf(part: Part, id: number, track: FragmentTrack): Line {
  checkDescriptions(track.track);
  const { table, fragments } = track;
  const units = [
    ...(table === null ? [] : tableUnits(part, id, table)),
    ...(fragments?.index == null ? [] : indexedUnits(part, fragments, fragments.index)),
  ];
  if (units.length > maxFragments) throw invalid(`${units.length} fragments`);
  return { part, id, track, units, isOpen: fragments !== null && fragments.index === null };
}

function tableUnits(part: Part, id: number, table: TableTrack): Unit[] {
  // A fragment has one description.
  if (table.samples.descriptions != null) throw invalid('several sample descriptions');
  const written = new TableFragments(table);
  const { timescale } = table.track;
  return written.fragments.map((fragment) => ({
    part,
    timeS: fragment.time / timescale,
    durationS: fragment.duration / timescale,
    bytes: fragment.bytes,
    span: written.spanOf(fragment),
    access: fragment.isSync ? syncAccess : 0,
    pass: (outputAt) => written.pass(part, id, fragment, outputAt),
  }));
}

function indexedUnits(part: Part, { end: fileEnd }: PartFragments, index: SegmentIndex): Unit[] {
  let [start, ticks] = [index.start, index.time];
  return index.segments.map(({ bytes, duration, access }, n) => {
    // Bytes after the last fragment stay with it.
    const end = n === index.segments.length - 1 ? (fileEnd ?? start + bytes) : start + bytes;
    const span = { start, end };
    const unit: Unit = {
      part,
      timeS: ticks / index.timescale,
      durationS: duration / index.timescale,
      bytes: end - start,
      span,
      access,
      pass: (outputAt, walker) => walker?.pass(outputAt, span) ?? [],
    };
    start = end;
    ticks += duration;
    return unit;
  });
}

function knownBeforehand(front: Buffer, [picture, sound]: readonly [Line, Line]): Layout {
  const units = inOrder(picture.units, sound.units);
  const head = Buffer.concat([front, writeIndex(units, picture.track.track.timescale)]);
  let size = head.length;
  for (const { bytes } of units) size += bytes;
  return {
    head,
    size,
    hasRanges: true,
    spanOf(part, start, end) {
      const touched = placed(head.length, units).filter(
        ({ unit, at }) => unit.part === part && at + unit.bytes > start && at < (end ?? size),
      );
      const [first, last] = [touched[0], touched.at(-1)];
      return first && last ? { start: first.unit.span.start, end: last.unit.span.end } : null;
    },
    piecesFrom(start, feeds) {
      const rest = placed(head.length, units).filter(({ unit, at }) => at + unit.bytes > start);
      const first = rest[0];
      const isWhole = start < head.length || first === undefined;
      const pieces = passed(isWhole ? head : null, rest, walkers([picture, sound], feeds));
      return { at: isWhole ? 0 : first.at, pieces };
    },
  };
}

function placed(start: number, units: readonly Unit[]) {
  let end = start;
  return units.map((unit) => {
    const at = end;
    end += unit.bytes;
    return { unit, at };
  });
}

async function* passed(
  head: Buffer | null,
  units: ReturnType<typeof placed>,
  walker: Readonly<Record<Part, FragmentWalker | null>>,
): AsyncGenerator<Piece, void, void> {
  if (head !== null) yield { bytes: head };
  for (const { unit, at } of units) yield* unit.pass(at, walker[unit.part]);
}

/** The units in decoding order; the picture first. */
function inOrder(picture: readonly Unit[], sound: readonly Unit[]): Unit[] {
  const units: Unit[] = [];
  let heard = 0;
  for (const [n, unit] of picture.entries()) {
    for (let next = sound[heard]; n > 0 && next && next.timeS < unit.timeS; next = sound[heard]) {
      units.push(next);
      heard += 1;
    }
    units.push(unit);
  }
  return [...units, ...sound.slice(heard)];
}

function foundOnTheWay(head: Buffer, lines: readonly [Line, Line]): Layout {
  const whole = lines.map(({ track: { fragments }, units }) => {
    const known = units.reduce((sum, { bytes }) => sum + bytes, 0);
    if (fragments === null || fragments.index !== null) return known;
    return fragments.end === null ? null : known + fragments.end - fragments.start;
  });
  const [seen, heard] = [whole[0] ?? null, whole[1] ?? null];
  return {
    head,
    size: seen === null || heard === null ? null : head.length + seen + heard,
    hasRanges: false,
    spanOf(part) {
      const line = lines.find((one) => one.part === part);
      const { units = [], track } = line ?? {};
      const start = units[0]?.span.start ?? track?.fragments?.start ?? 0;
      const isOpen = line?.isOpen === true;
      return { start, end: isOpen ? (track?.fragments?.end ?? null) : (units.at(-1)?.span.end ?? start) };
    },
    piecesFrom: (_start, feeds) => ({ at: 0, pieces: walked(head, lines, walkers(lines, feeds)) }),
  };
}

async function* walked(
  head: Buffer,
  lines: readonly [Line, Line],
  walker: Readonly<Record<Part, FragmentWalker | null>>,
): AsyncGenerator<Piece, void, void> {
  // The taker may transfer a piece's memory: its length is then 0.
  let at = head.length;
  yield { bytes: head };
  const next = { picture: 0, sound: 0 };
  const timeOf = ({ part, units, isOpen }: Line) =>
    units[next[part]]?.timeS ?? (isOpen ? (walker[part]?.peek() ?? null) : null);
  for (;;) {
    const times = [await timeOf(lines[0]), await timeOf(lines[1])] as const;
    const isPicture = times[0] !== null && (times[1] === null || times[0] <= times[1]);
    const line = isPicture ? lines[0] : lines[1];
    if (times[0] === null && times[1] === null) return;
    const unit = line.units[next[line.part]];
    next[line.part] += 1;
    const own = walker[line.part];
    for await (const piece of unit?.pass(at, own) ?? own?.pass(at, null) ?? []) {
      at += pieceLength(piece);
      yield piece;
    }
  }
}

function walkers(lines: readonly [Line, Line], feeds: Feeds): Record<Part, FragmentWalker | null> {
  const walkerOf = ({ part, id, track: { track, fragments } }: Line, feed: Feed | null) =>
    fragments &&
    feed &&
    new FragmentWalker({ ...fragments, part, id, originalId: track.id, timescale: track.timescale }, feed);
  return { picture: walkerOf(lines[0], feeds.picture), sound: walkerOf(lines[1], feeds.sound) };
}

/** Tables of the samples of fragments. */
const copiedTables: ReadonlySet<string> = new Set(['sgpd']);

function writeHead(lines: readonly [Line, Line], tags?: MediaTags): Buffer {
  const tables = [
    fullBox('stts', 0, u32(0)),
    fullBox('stsc', 0, u32(0)),
    fullBox('stsz', 0, u32(0, 0)),
    fullBox('stco', 0, u32(0)),
  ];
  const tracks = lines.map(({ id, track: { track } }) => ({
    track,
    id,
    mediaDuration: null,
    tables: [writeDescriptions(track), ...copyTables(track, copiedTables), ...tables],
  }));
  const defaults = lines.map(({ id, track: { track, fragments } }) => {
    const own = fragments?.defaults.get(track.id);
    const { description = 1, duration = 0, size = 0, flags = 0 } = own ?? {};
    return fullBox('trex', 0, u32(id, description, duration, size, flags));
  });
  const durationsS = lines.map(({ units }) => units.reduce((sum, { durationS }) => sum + durationS, 0));
  const length = lines.some(({ isOpen }) => isOpen)
    ? []
    : [fullBox('mehd', 0x01000000, u64(Math.ceil(Math.max(...durationsS) * movieTimescale)))];
  return Buffer.concat([writeFileType(true), writeMovie(tracks, tags, box('mvex', ...length, ...defaults))]);
}

/** Largest number of segments in an index. */
const maxIndexed = 0xffff;

/**
 * Writes the index of the joined file: each segment is a fragment of the picture with its sound. Players read the
 * length and seek positions from it.
 */
function writeIndex(units: readonly Unit[], timescale: number): Buffer {
  const segments: { bytes: number; from: number; to: number; access: number }[] = [];
  for (const { part, bytes, timeS, durationS: lengthS, access } of units) {
    const current = segments.at(-1);
    if (part === 'picture') {
      const from = Math.round(timeS * timescale);
      segments.push({ bytes, from, to: Math.round((timeS + lengthS) * timescale), access });
    } else if (current !== undefined) current.bytes += bytes;
  }
  const first = segments[0];
  const isTooLarge = segments.some(({ bytes, from, to }) => bytes > 0x7fffffff || to - from > 0xffffffff);
  if (first === undefined || segments.length > maxIndexed || isTooLarge) return Buffer.alloc(0);
  const entries = segments.map(({ bytes, from, to, access }) => u32(bytes, to - from, access));
  return fullBox(
    'sidx',
    0x01000000,
    u32(1, timescale),
    u64(first.from),
    u64(0),
    u32(segments.length),
    Buffer.concat(entries),
  );
}
