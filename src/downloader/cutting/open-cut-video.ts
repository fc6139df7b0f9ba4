/*
 * Cuts a video without re-encoding. It reads the original's index first, selects the samples between two times from the
 * nearest preceding key frame on, and writes a new index for them. The cut's length, ranges and validator are therefore
 * known before its first byte, and only the selected bytes are fetched.
 */
import { Failure } from '../../failures/failures.ts';
import { together } from '../async/parallel.ts';
import { withTimeLimit } from '../async/time-limit.ts';
import { checkAhead, type Feed } from '../joining/feed.ts';
import { FlowFeed } from '../joining/flow-feed.ts';
import { type JoinPart, readFirst } from '../joining/join-part.ts';
import type { Feeds, Part, Span } from '../joining/layouts/layout.ts';
import { readTableTrack, type TableTrack } from '../joining/layouts/sample-tables.ts';
import { etagFor, openLaidOut } from '../joining/open-laid-out.ts';
import { WindowFeed } from '../joining/window-feed.ts';
import { child, invalid } from '../media/mp4/boxes.ts';
import { TopLevelBoxes } from '../media/mp4/top-level-boxes.ts';
import { findTrack } from '../media/mp4/track.ts';
import type { MediaTags } from '../media/tags.ts';
import { byteSourceOf } from '../streaming/byte-source.ts';
import { ResumableSource } from '../streaming/resumable-source.ts';
import type { OpenedVideo, VideoRequest } from '../streaming/video.ts';
import { chooseSamples } from './choose-samples.ts';
import type { Cut } from './cut.ts';
import { type CutLayout, layOutCut } from './cut-layout.ts';

/** The tracks of a file, as far as it has them. */
interface FileTracks {
  readonly head: Buffer;
  readonly picture: TableTrack | null;
  readonly sound: TableTrack | null;
}

/**
 * Reads the positions and times of all samples of a file, with few bounded reads.
 * @throws Failure `cut_unsupported` for a fragmented file, which describes its samples piece by piece; `media_invalid`,
 *   `media_unavailable`, … or the signal's reason
 */
async function readTracks(source: ResumableSource, signal: AbortSignal): Promise<FileTracks> {
  const head = await readFirst(source, signal);
  const boxes = new TopLevelBoxes(byteSourceOf(source), head, signal);
  for await (const box of boxes) {
    if (box.type !== 'moov') continue;
    const moov = await boxes.readTables(box);
    const root = { start: box.headerLength, end: moov.length };
    if (child(moov, root, 'mvex') !== null) throw new Failure('cut_unsupported', { note: 'in fragments' });
    const read = (kind: 'vide' | 'soun') => {
      const track = findTrack(moov, root, kind);
      return track && readTableTrack(track, source.size);
    };
    return { head, picture: read('vide'), sound: read('soun') };
  }
  throw invalid(`no 'moov'`);
}

export interface CutVideoRequest extends Omit<VideoRequest, 'source' | 'refresh'> {
  readonly picture: JoinPart;
  /** Null where the picture's file has the sound as well. */
  readonly sound: JoinPart | null;
  readonly cut: Cut;
  readonly tags?: MediaTags;
}

/** An original whose index has been read. */
interface OpenedOriginal extends FileTracks {
  readonly source: ResumableSource;
}

type Originals = { readonly picture: OpenedOriginal; readonly sound: OpenedOriginal | null };

/** Time limit for the index of both files, and for a connection when many are open. */
const indexLimitMs = 30_000;

/**
 * Opens a part of a video for a client. Resolves when everything is known that can be known before the first byte.
 * @throws Failure `cut_invalid`, `cut_unsupported`, `media_invalid`, `media_unavailable`, … or the signal's reason
 */
export async function openCutVideo(request: CutVideoRequest): Promise<OpenedVideo> {
  const { signal } = request;
  const originals = await withTimeLimit(indexLimitMs, signal, (limited) => openOriginals(request, limited));
  const layout = layOut(originals, request);
  const { head, size } = layout;
  const sizes = [originals.picture.source.size, originals.sound?.source.size];
  return openLaidOut(request, {
    ...{ size, hasRanges: true },
    etag: etagFor('cut', head, [...sizes, request.etagOf?.(originals.picture.source.size)]),
    async open(start, end) {
      const feeds = await openFeeds(originals, (part) => layout.spansOf(part, start, end ?? size), signal);
      return { at: 0, pieces: layout.pieces, feeds };
    },
  });
}

async function openOriginals(
  { network, picture, sound }: CutVideoRequest,
  signal: AbortSignal,
): Promise<Originals> {
  const open = async (part: JoinPart, isUnbounded: boolean, one: AbortSignal): Promise<OpenedOriginal> => {
    const source = new ResumableSource({ network, ...part, isUnbounded });
    return { ...(await readTracks(source, one)), source };
  };
  const [seen, heard] = await together(signal, (both) => [
    open(picture, false, both),
    sound && open(sound, true, both),
  ]);
  return { picture: seen, sound: heard };
}

function layOut({ picture, sound }: Originals, { cut, tags }: CutVideoRequest): CutLayout {
  if (picture.picture === null) throw invalid('no picture to cut');
  if (sound !== null && sound.sound === null) throw invalid('no sound to cut');
  const tracks = {
    picture: picture.picture,
    sound: cut.isSilent === true ? null : sound === null ? picture.sound : sound.sound,
    isSoundApart: sound !== null,
  };
  return layOutCut(tracks, chooseSamples(tracks, cut.fromMs / 1000, cut.toMs / 1000), tags);
}

/** Opens the originals where the first bytes that are needed of them lie. */
async function openFeeds(
  { picture, sound }: Originals,
  spansOf: (part: Part) => Span[],
  signal: AbortSignal,
): Promise<Feeds> {
  const [seen, ...more] = spansOf('picture');
  const heard = spansOf('sound');
  const [first, last] = [heard[0], heard.at(-1)];
  const [pictures, sounds] = await together(signal, (both) => [
    seen === undefined ? null : SpanFeed.open(picture.source, [seen, ...more], both),
    sound === null || first === undefined || last === undefined
      ? null
      : WindowFeed.open(
          sound.source,
          { start: first.start, end: last.end },
          { offset: 0, bytes: sound.head },
          both,
        ),
  ]);
  return { picture: pictures, sound: sounds };
}

/**
 * Several spans of an original in order, one request for each: the bytes between them are not fetched. A server without
 * ranges is asked once for all of them.
 */
export class SpanFeed implements Feed {
  readonly #source: ResumableSource;
  readonly #signal: AbortSignal;
  readonly #later: Span[];
  #feed: FlowFeed;
  #isStopped = false;

  private constructor(source: ResumableSource, feed: FlowFeed, later: Span[], signal: AbortSignal) {
    this.#source = source;
    this.#feed = feed;
    this.#later = later;
    this.#signal = signal;
  }

  /** Resolves when the file answers. @throws Failure `media_unavailable`, … or the signal's reason */
  static async open(
    source: ResumableSource,
    [first, ...later]: readonly [Span, ...Span[]],
    signal: AbortSignal,
  ): Promise<SpanFeed> {
    const [span, rest] = source.hasRanges
      ? [first, later]
      : [{ start: first.start, end: (later.at(-1) ?? first).end }, []];
    return new SpanFeed(source, await FlowFeed.open(source, span, signal), rest, signal);
  }

  get position(): number {
    return this.#feed.position;
  }

  get resumes(): number {
    return this.#source.resumes;
  }

  take(most: number): Buffer | null {
    return this.#feed.take(most);
  }

  fill(): Promise<void> {
    return this.#feed.fill();
  }

  async skipTo(offset: number): Promise<void> {
    checkAhead(offset, this.position);
    const [next] = this.#later;
    if (next === undefined || offset < next.start) return this.#feed.skipTo(offset);
    this.#later.shift();
    this.#feed.stop();
    const feed = await FlowFeed.open(this.#source, next, this.#signal);
    // The reader may have stopped in the meantime.
    if (this.#isStopped) feed.stop();
    this.#feed = feed;
    return this.skipTo(offset);
  }

  isOver(): boolean | Promise<boolean> {
    return this.#later.length === 0 && this.#feed.isOver();
  }

  stop(): void {
    this.#isStopped = true;
    this.#feed.stop();
  }
}
