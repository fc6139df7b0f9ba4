import { invalid } from './boxes.ts';
import {
  type Fragment,
  maxFragmentBytes,
  maxFragments,
  readFragment,
  type SampleDefaults,
} from './fragment.ts';
import { maxSamples } from './sample-table.ts';

/** Checks the fragments of a file, read in their order: how many there are, and that the samples of one track follow. */
export class FragmentCheck {
  readonly #trackId: number;
  /** Positions of the last `moof`'s samples, until their `mdat` arrives. */
  #missing: { readonly start: number; readonly end: number } | null = null;
  #fragments = 0;
  #samples = 0;

  constructor(trackId: number) {
    this.#trackId = trackId;
  }

  /** Counts a `moof` that is to be read. @throws Failure `media_invalid` */
  begin(bytes: number): void {
    this.#fragments += 1;
    if (bytes > maxFragmentBytes || this.#fragments > maxFragments)
      throw invalid(`fragment ${this.#fragments} of ${bytes} bytes`);
  }

  /** Reads it, and notes which bytes have to follow. @throws Failure `media_invalid` */
  read(
    moof: Buffer,
    headerLength: number,
    at: number,
    defaults: ReadonlyMap<number, SampleDefaults>,
  ): { readonly fragment: Fragment; readonly own: Fragment['tracks'] } {
    if (this.#missing !== null) throw invalid(`a fragment's samples are missing before ${at}`);
    const fragment = readFragment(moof, headerLength, at, defaults);
    const own = fragment.tracks.filter(({ trackId }) => trackId === this.#trackId);
    let [start, end] = [Number.POSITIVE_INFINITY, 0];
    for (const run of own.flatMap(({ runs }) => runs)) {
      if (run.count === 0) continue;
      this.#samples += run.count;
      if (this.#samples > maxSamples) throw invalid(`more than ${maxSamples} samples`);
      start = Math.min(start, run.start);
      end = Math.max(end, run.end);
    }
    if (end > 0) this.#missing = { start, end };
    return { fragment, own };
  }

  /** An `mdat` has come, with data in these bytes. @throws Failure `media_invalid` when samples lie elsewhere */
  data(start: number, end: number): void {
    const missing = this.#missing;
    if (missing !== null && (missing.start < start || missing.end > end))
      throw invalid(`samples from ${missing.start} to ${missing.end}, media from ${start} to ${end}`);
    this.#missing = null;
  }

  /** @throws Failure `media_invalid` when samples have not come */
  end(): void {
    if (this.#missing !== null) throw invalid(`a fragment's samples are missing at the end`);
  }
}
