import { invalid } from '../../media/mp4/boxes.ts';
import { box, bytes, fullBox, u32, u32s, u64 } from '../../media/mp4/write-boxes.ts';
import type { Part, Piece } from './layout.ts';
import type { TableTrack } from './sample-tables.ts';

/** Samples of a track with tables that become a fragment. */
export interface TableFragment {
  readonly first: number;
  readonly count: number;
  /** When it begins, and how long it lasts, in ticks of the media. */
  readonly time: number;
  readonly duration: number;
  /** Size of the whole fragment. */
  readonly bytes: number;
  /** Whether one can begin to decode with it. */
  readonly isSync: boolean;
}

/** Seconds in a fragment: about as long as the platform's own. */
const fragmentS = 2;
/** Flags of a sample (ISO/IEC 14496-12, 8.8.3.1): depends on no other; depends on others and is no sync sample. */
const sync = 0x02000000;
const notSync = 0x01010000;

/** Fragments that we write for a track with sample tables, to accompany another file's fragments. */
export class TableFragments {
  readonly fragments: readonly TableFragment[];
  readonly #table: TableTrack;

  /** @throws Failure `media_invalid` */
  constructor(table: TableTrack) {
    const { offsets } = table.samples;
    // A fragment's samples follow one another in decoding order, and originals are read from front to back.
    if (offsets.some((offset, n) => n > 0 && offset < (offsets[n - 1] ?? 0)))
      throw invalid('samples in another order than they are decoded, beside fragments');
    this.#table = table;
    this.fragments = this.#cut();
  }

  /** Position of its samples in the original. */
  spanOf({ first, count }: TableFragment): { start: number; end: number } {
    const { offsets, sizes } = this.#table.samples;
    const last = first + count - 1;
    return { start: offsets[first] ?? 0, end: (offsets[last] ?? 0) + (sizes[last] ?? 0) };
  }

  /**
   * The fragment as written into the joined file.
   * @param id its `track_ID` there
   * @param outputAt its position there
   */
  *pass(part: Part, id: number, fragment: TableFragment, outputAt: number): Generator<Piece, void, void> {
    const { first, count } = fragment;
    const { offsets, sizes } = this.#table.samples;
    yield { bytes: this.#head(id, fragment, outputAt) };
    for (let n = first; n < first + count; ) {
      const start = offsets[n] ?? 0;
      let end = start;
      for (; n < first + count && offsets[n] === end; n++) end += sizes[n] ?? 0;
      yield { part, start, end };
    }
  }

  #cut(): TableFragment[] {
    const { track, samples, durations, isSync: syncs } = this.#table;
    const ticks = fragmentS * track.timescale;
    const fragments: TableFragment[] = [];
    let time = 0;
    for (let n = 0; n < samples.count; ) {
      const [first, start] = [n, time];
      const until = (Math.floor(time / ticks) + 1) * ticks;
      let media = 0;
      do {
        media += samples.sizes[n] ?? 0;
        time += durations[n] ?? 0;
        n += 1;
      } while (n < samples.count && time < until);
      if (media > 0x7fffffff) throw invalid(`${media} bytes of samples in ${fragmentS} s`);
      const count = n - first;
      const isSync = syncs === null || syncs[first] === 1;
      const head = fragmentHeadBytes + count * this.#fields.length * 4;
      fragments.push({ first, count, time: start, duration: time - start, bytes: head + media, isSync });
    }
    return fragments;
  }

  /** The fields written for each sample. */
  get #fields(): ((n: number) => number)[] {
    const { samples, durations, delays, isSync } = this.#table;
    return [
      (n) => durations[n] ?? 0,
      (n) => samples.sizes[n] ?? 0,
      ...(isSync === null ? [] : [(n: number) => (isSync[n] === 1 ? sync : notSync)]),
      ...(delays === null ? [] : [(n: number) => delays[n] ?? 0]),
    ];
  }

  #head(id: number, { first, count, time, bytes: length }: TableFragment, outputAt: number): Buffer {
    const fields = this.#fields;
    const { isSync, delays } = this.#table;
    const entries = new Uint32Array(count * fields.length);
    for (let n = 0, at = 0; n < count; n++) for (const field of fields) entries[at++] = field(first + n);
    const moofBytes = fragmentHeadBytes - 8 + entries.byteLength;
    // data-offset, duration and size; flags and composition offset where samples have them, these with a sign (version 1)
    const runFlags = 0x01000301 | (isSync === null ? 0 : 0x400) | (delays === null ? 0 : 0x800);
    const moof = box(
      'moof',
      fullBox('mfhd', 0, u32(outputAt % 2 ** 32)),
      box(
        'traf',
        // default-base-is-moof, default-sample-flags
        fullBox('tfhd', 0x020020, u32(id, sync)),
        fullBox('tfdt', 0x01000000, u64(time)),
        fullBox('trun', runFlags, u32(count, moofBytes + 8), u32s(entries)),
      ),
    );
    return Buffer.concat([moof, u32(length - moofBytes), bytes('mdat')]);
  }
}

/** `moof` without what is written for each sample, and the header of `mdat`. */
const fragmentHeadBytes = 8 + 16 + 8 + 20 + 20 + 20 + 8;
