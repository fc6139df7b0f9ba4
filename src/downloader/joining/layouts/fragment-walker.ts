import { invalid, printable, readBoxHeader } from '../../media/mp4/boxes.ts';
import {
  type Fragment,
  maxFragmentBytes,
  maxFragments,
  readFragment,
  type SampleDefaults,
} from '../../media/mp4/fragment.ts';
import { maxSamples } from '../../media/mp4/sample-table.ts';
import { type Feed, readExactly } from '../feed.ts';
import type { Part, Piece } from './layout.ts';

export interface WalkedTrack {
  readonly part: Part;
  /** Its `track_ID` in the original, and in the joined file. */
  readonly originalId: number;
  readonly id: number;
  /** One for each track of the original. */
  readonly defaults: ReadonlyMap<number, SampleDefaults>;
  /** Ticks a second of its media. */
  readonly timescale: number;
  /** Start of its fragments in the original. */
  readonly start: number;
  /** End of its fragments: the file's size; null when unknown. */
  readonly end: number | null;
}

/** A box that has been looked at and not been passed on. */
interface NextBox {
  readonly type: string;
  readonly at: number;
  /** One past its last byte. */
  readonly end: number;
  /** Its header; the whole box for a `moof`. */
  readonly bytes: Buffer;
  readonly headerLength: number;
  readonly fragment: Fragment | null;
}

/**
 * Passes the fragments of an original on, box by box, as parts of the joined file. Corrects each box's offsets and
 * track in place, so that no length changes; other boxes become `free`, since their statements about the file no longer
 * hold. Holds at most one `moof`.
 */
export class FragmentWalker {
  readonly #track: WalkedTrack;
  readonly #feed: Feed;
  /** Offset of the next box that was not looked at. */
  #at: number;
  #next: NextBox | null = null;
  /** Positions of the last `moof`'s samples, until their `mdat` arrives. */
  #missing: { readonly start: number; readonly end: number } | null = null;
  /** When the next fragment is decoded, in ticks. */
  #time = 0;
  /** When the one after it is, unless it says so itself. */
  #timeAfter = 0;
  #fragments = 0;
  #samples = 0;

  constructor(track: WalkedTrack, feed: Feed) {
    this.#track = track;
    this.#feed = feed;
    this.#at = track.start;
  }

  /** When the next fragment begins, in seconds; null when there are no more. @throws as {@link pass} */
  async peek(): Promise<number | null> {
    const next = await this.#look(this.#track.end);
    return next === null ? null : this.#time / this.#track.timescale;
  }

  /**
   * Passes boxes on.
   * @param outputAt position of the first in the joined file
   * @param span the boxes; null for one fragment, from its `moof` to the next one
   * @throws Failure `media_invalid` when boxes overrun, or samples lie outside their `mdat`
   */
  async *pass(
    outputAt: number,
    span: { start: number; end: number } | null,
  ): AsyncGenerator<Piece, void, void> {
    if (span !== null && this.#at !== span.start) {
      this.#at = span.start;
      this.#next = null;
    }
    const end = span === null ? this.#track.end : span.end;
    let at = outputAt;
    let hasPassedFragment = false;
    for (let next = await this.#look(end); next !== null; next = await this.#look(end)) {
      if (span === null && hasPassedFragment && next.fragment !== null) return;
      this.#next = null;
      const { part } = this.#track;
      const restAt = next.at + next.bytes.length;
      if (next.fragment !== null) {
        hasPassedFragment = true;
        this.#correct(next.bytes, next.fragment, next.at, at);
      } else if (next.type === 'mdat') this.#checkData(next);
      else next.bytes.write('free', 4, 'latin1');
      yield { bytes: next.bytes };
      if (restAt < next.end) yield { part, start: restAt, end: next.end };
      at += next.end - next.at;
    }
    if (this.#missing !== null) throw invalid(`a fragment's samples are missing`);
  }

  /** The next box; null at the end. */
  async #look(end: number | null): Promise<NextBox | null> {
    if (this.#next !== null) return this.#next;
    const at = this.#at;
    if (this.#feed.position !== at) await this.#feed.skipTo(at);
    if (end === null ? await this.#feed.isOver() : at === end) return null;
    if (end !== null && at + 8 > end) throw invalid(`box header cut off at ${at}`);
    const next = await this.#read(at, end);
    this.#next = next;
    this.#at = next.end;
    return next;
  }

  async #read(at: number, end: number | null): Promise<NextBox> {
    let bytes = await readExactly(this.#feed, 8);
    let header = readBoxHeader(bytes, 0);
    if (header === null) {
      bytes = Buffer.concat([bytes, await readExactly(this.#feed, 8)]);
      header = readBoxHeader(bytes, 0);
    }
    if (header === null) throw invalid(`box header cut off at ${at}`);
    const { type, headerLength } = header;
    if (header.size === null) bytes = endless(bytes, type, at, end);
    const boxEnd = header.size === null ? at + bytes.readUInt32BE(0) : at + header.size;
    if (end !== null && boxEnd > end) throw invalid(`'${printable(type)}' ends at ${boxEnd}, not at ${end}`);
    const box = { type, at, end: boxEnd, headerLength };
    if (type !== 'moof') return { ...box, bytes, fragment: null };

    if (boxEnd - at > maxFragmentBytes) throw invalid(`'moof' of ${boxEnd - at} bytes`);
    this.#fragments += 1;
    if (this.#fragments > maxFragments) throw invalid(`more than ${maxFragments} fragments`);
    const moof = Buffer.concat([bytes, await readExactly(this.#feed, boxEnd - at - bytes.length)]);
    const fragment = readFragment(moof, headerLength, at, this.#track.defaults);
    this.#note(fragment, at);
    return { ...box, bytes: moof, fragment };
  }

  /** Notes when a fragment is decoded, and which bytes have to follow it. */
  #note({ tracks }: Fragment, at: number): void {
    if (this.#missing !== null) throw invalid(`a fragment's samples are missing before ${at}`);
    let [start, end] = [Number.POSITIVE_INFINITY, 0];
    this.#time = this.#timeAfter;
    for (const { trackId, time, duration, runs } of tracks) {
      if (trackId !== this.#track.originalId) continue;
      if (time !== null) this.#time = time;
      this.#timeAfter = this.#time + duration;
      for (const run of runs) {
        if (run.count === 0) continue;
        this.#samples += run.count;
        if (this.#samples > maxSamples) throw invalid(`more than ${maxSamples} samples`);
        start = Math.min(start, run.start);
        end = Math.max(end, run.end);
      }
    }
    if (end > 0) this.#missing = { start, end };
  }

  #checkData({ at, headerLength, end }: NextBox): void {
    const missing = this.#missing;
    if (missing === null) return;
    if (missing.start < at + headerLength || missing.end > end) {
      throw invalid(
        `samples from ${missing.start} to ${missing.end}, media from ${at + headerLength} to ${end}`,
      );
    }
    this.#missing = null;
  }

  /** Makes a `moof` say what is true of the joined file. */
  #correct(moof: Buffer, { sequenceAt, tracks }: Fragment, at: number, outputAt: number): void {
    // Increases along the file, whichever part is requested.
    moof.writeUInt32BE(outputAt % 2 ** 32, sequenceAt);
    for (const [n, { trackId, typeAt, idAt, baseAt, isChained }] of tracks.entries()) {
      if (trackId !== this.#track.originalId) {
        moof.write('free', typeAt, 'latin1');
      } else {
        if (isChained && tracks[n - 1]?.trackId !== trackId) {
          throw invalid('where samples lie depends on another track');
        }
        moof.writeUInt32BE(this.#track.id, idAt);
        if (baseAt === null) continue;
        const base = moof.readBigUInt64BE(baseAt) + BigInt(outputAt - at);
        if (base < 0n) throw invalid('samples placed from before the file');
        moof.writeBigUInt64BE(base, baseAt);
      }
    }
  }
}

/** The header of an open-ended box, with the size that the file implies. */
function endless(header: Buffer, type: string, at: number, end: number | null): Buffer {
  if (end === null || end - at > 0xffffffff) throw invalid(`'${printable(type)}' without an end`);
  header.writeUInt32BE(end - at, 0);
  return header;
}
