import { Failure } from '../../failures/failures.ts';
import type { SampleTable } from '../media/mp4/sample-table.ts';
import type { Edit, Track } from '../media/mp4/track.ts';

/** A track with all that its tables say of when its samples are shown. */
export interface TimedTrack {
  readonly track: Pick<Track, 'edits' | 'timescale' | 'movieTimescale'>;
  readonly samples: Pick<SampleTable, 'count'>;
  /** Duration of each sample, in ticks of the media. */
  readonly durations: Uint32Array;
  /** Composition offset of each sample; null when all are zero. */
  readonly delays: Int32Array | null;
  /** 1 for each sample that can be decoded without others; null when all can. */
  readonly isSync: Uint8Array | null;
}

/** The samples of a track that a cut contains, and their times. */
export interface SampleRange {
  /** The first sample, and one past the last. */
  readonly first: number;
  readonly end: number;
  /** When the first one is decoded in the original, in ticks of the media. */
  readonly decodedAt: number;
  /** Total duration of the samples, in ticks of the media. */
  readonly duration: number;
  /** The edit list of the cut; durations in ticks of {@link cutTimescale}. */
  readonly edits: readonly Edit[];
}

export interface TrackRanges {
  readonly picture: SampleRange;
  /** Null when the cut is silent. */
  readonly sound: SampleRange | null;
  /** Start of the cut in the original, in seconds: at a key frame, at or before the requested time. */
  readonly startS: number;
}

/** Ticks a second in the edit lists of a cut: no rounding is heard or seen. */
export const cutTimescale = 90_000;
const normalRate = 0x10000;
/** A picture is shown after at most so many that are decoded later (H.264 and H.265 hold 16). */
const maxReordered = 32;
/** Requested times are whole milliseconds. */
const roundingS = 0.0005;

/**
 * Selects the samples of a cut that needs no re-encoding: the picture from the last key frame at or before `fromS`, and
 * the sound from the same time, with one silent frame before it that its decoder needs.
 * @throws Failure `cut_invalid` when it begins after the end, `cut_unsupported` for a movie with several edits
 */
export function chooseSamples(
  tracks: { readonly picture: TimedTrack; readonly sound: TimedTrack | null },
  fromS: number,
  toS: number,
): TrackRanges {
  const picture = new Clock(tracks.picture);
  const sound = tracks.sound === null ? null : new Clock(tracks.sound);
  const endS = Math.max(picture.endS, sound?.endS ?? 0);
  if (fromS >= endS) throw new Failure('cut_invalid', { note: `from ${fromS} s, of ${endS} s` });

  const first = picture.keyFrameAt(fromS);
  const startS = Math.max(0, Math.min(fromS, picture.shownAt(first)));
  const heard = sound === null ? null : keepSound(sound, startS, toS);
  return { picture: keep(picture, first, startS, toS), sound: heard, startS };
}

function keepSound(sound: Clock, startS: number, toS: number): SampleRange | null {
  const first = sound.lastAt(startS);
  const isHeard = sound.endS > startS && sound.shownAt(0) < toS;
  return isHeard ? keep(sound, Math.max(0, first - 1), startS, toS) : null;
}

/** All samples from `first` on that are shown before `toS`, put on a clock that begins at `startS`. */
function keep(clock: Clock, first: number, startS: number, toS: number): SampleRange {
  const end = Math.max(first, clock.lastBefore(toS)) + 1;
  const decodedAt = clock.decodedAt(first);
  const beginsS = Math.max(startS, clock.shownAt(first));
  const endsS = Math.max(beginsS, Math.min(toS, clock.endBetween(first, end)));
  const waits = Math.round((beginsS - startS) * cutTimescale);
  const lasts = Math.max(1, Math.round((endsS - beginsS) * cutTimescale));
  return {
    first,
    end,
    decodedAt,
    duration: clock.decodedAt(end) - decodedAt,
    edits: [
      ...(waits > 0 ? [{ duration: waits, mediaTime: -1, rate: normalRate }] : []),
      {
        duration: lasts,
        mediaTime: Math.max(0, Math.round(clock.mediaTimeAt(beginsS)) - decodedAt),
        rate: normalRate,
      },
    ],
  };
}

/** When the samples of a track are decoded, in its own ticks, and shown, in seconds of the movie. */
class Clock {
  readonly track: TimedTrack['track'];
  readonly #timed: TimedTrack;
  /** When each sample is decoded, and when the last one ends. */
  readonly #decoded: Float64Array;
  /** Start of the media on the movie's clock: ticks that are not shown, or seconds of delay. */
  readonly #skipped: number;
  readonly #waitsS: number;
  /** When the edit list ends it. */
  readonly #editedS: number;

  constructor(timed: TimedTrack) {
    const { durations, samples, track } = timed;
    this.track = track;
    this.#timed = timed;
    this.#decoded = new Float64Array(samples.count + 1);
    for (let n = 0; n < samples.count; n++)
      this.#decoded[n + 1] = (this.#decoded[n] ?? 0) + (durations[n] ?? 0);

    const shown = track.edits.findIndex(({ mediaTime }) => mediaTime >= 0);
    if (track.edits.findLastIndex(({ mediaTime }) => mediaTime >= 0) > shown)
      throw new Failure('cut_unsupported', { note: `${track.edits.length} edits` });
    const waits = shown < 0 ? [] : track.edits.slice(0, shown);
    this.#waitsS = waits.reduce((sum, { duration }) => sum + duration, 0) / track.movieTimescale;
    const skipped = track.edits[shown]?.mediaTime ?? 0;
    // As in players, an edit of what is behind the end shows everything.
    this.#skipped = skipped < (this.#decoded[samples.count] ?? 0) ? skipped : 0;
    const lasts = track.edits[shown]?.duration ?? 0;
    // The movie's ticks are often whole milliseconds, rounded down.
    this.#editedS =
      lasts === 0 ? Number.POSITIVE_INFINITY : this.#waitsS + (lasts + 1) / track.movieTimescale;
  }

  get count(): number {
    return this.#timed.samples.count;
  }

  /** When the last sample ends, or is cut off. */
  get endS(): number {
    return this.endBetween(0, this.count);
  }

  /** The range that covers a run of samples: the last ones in display order are among the last in decoding order. */
  endBetween(first: number, end: number): number {
    let latest = 0;
    for (let n = Math.max(first, end - maxReordered); n < end; n++) {
      const lastsS = (this.#timed.durations[n] ?? 0) / this.track.timescale;
      latest = Math.max(latest, Math.min(this.#editedS, this.shownAt(n) + lastsS));
    }
    return latest;
  }

  decodedAt(sample: number): number {
    return this.#decoded[sample] ?? 0;
  }

  shownAt(sample: number): number {
    const ticks = this.decodedAt(sample) + (this.#timed.delays?.[sample] ?? 0) - this.#skipped;
    return this.#waitsS + ticks / this.track.timescale;
  }

  /** Ticks of the media at a time of the movie. */
  mediaTimeAt(seconds: number): number {
    return (seconds - this.#waitsS) * this.track.timescale + this.#skipped;
  }

  /** The last key frame shown at or before a time; the first key frame when there is none. */
  keyFrameAt(seconds: number): number {
    const { isSync } = this.#timed;
    let found = -1;
    for (let n = 0; n < this.count; n++) {
      if (isSync !== null && isSync[n] !== 1) continue;
      if (found >= 0 && this.shownAt(n) > seconds + roundingS) break;
      found = n;
    }
    return Math.max(0, found);
  }

  /** The last sample in decoding order that is shown at or before a time; the first sample when there is none. */
  lastAt(seconds: number): number {
    return this.lastBefore(seconds + 2 * roundingS);
  }

  /** The last sample in decoding order that is shown before a time; the first sample when there is none. */
  lastBefore(seconds: number): number {
    for (let n = this.count - 1; n > 0; n--)
      if (this.shownAt(n) < Math.min(seconds, this.#editedS) - roundingS) return n;
    return 0;
  }
}
