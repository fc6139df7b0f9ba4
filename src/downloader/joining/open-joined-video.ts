/*
 * When the best picture and the sound are two files on the platform's servers, they are joined into one mp4 while
 * downloading: without re-encoding, and without a whole file in memory or on disk. The tables of both files are read
 * first; they determine the joined file's layout, so that its length, ranges and validator are known before its first
 * byte. Then both files are read in order and their samples are interleaved.
 */
import { together } from '../async/parallel.ts';
import { withTimeLimit } from '../async/time-limit.ts';
import type { MediaTags } from '../media/tags.ts';
import { parseRange } from '../streaming/ranges.ts';
import type { OpenedVideo, VideoRequest } from '../streaming/video.ts';
import type { Feed } from './feed.ts';
import { FlowFeed } from './flow-feed.ts';
import { type JoinPart, type OpenedPart, openPart } from './join-part.ts';
import { type FragmentTrack, layOutFragments } from './layouts/fragmented.ts';
import type { Layout, Part, Span } from './layouts/layout.ts';
import { layOutTables } from './layouts/progressive.ts';
import { etagFor, openLaidOut } from './open-laid-out.ts';
import { WindowFeed } from './window-feed.ts';

/**
 * Computes the layout of the joined file: with sample tables when both files have only those, else in fragments.
 * @throws Failure `media_invalid`
 */
export function layOut(picture: FragmentTrack, sound: FragmentTrack, tags?: MediaTags): Layout {
  const hasFragments = picture.fragments !== null || sound.fragments !== null;
  return !hasFragments && picture.table !== null && sound.table !== null
    ? layOutTables(picture.table, sound.table, tags)
    : layOutFragments(picture, sound, tags);
}

export interface JoinedVideoRequest extends Omit<VideoRequest, 'source' | 'refresh'> {
  readonly picture: JoinPart;
  readonly sound: JoinPart;
  readonly tags?: MediaTags;
}

/** Time limit for the tables of both files, and for a connection when many are open. */
const tablesLimitMs = 30_000;

/**
 * Opens a picture and its sound as one video for a client. Resolves when everything is known that can be known before
 * the first byte: that both files answer and are complete mp4s, the size of the joined file, and the bytes of the
 * client's range.
 * @throws Failure `media_invalid` for files that cannot be joined, `media_unavailable`, `platform_timeout`, … or the
 *   signal's reason
 */
export async function openJoinedVideo(request: JoinedVideoRequest): Promise<OpenedVideo> {
  const { network, signal } = request;
  const requested = parseRange(request.range);
  const isFromStart =
    requested === null || (requested.kind === 'from' && requested.first === 0 && requested.last === null);
  const isWhole = isFromStart && request.head !== true;
  const [picture, sound] = await withTimeLimit(tablesLimitMs, signal, (limited) =>
    together(limited, (both) => [
      openPart({ ...request.picture, network, kind: 'vide', isWhole, isUnbounded: false, signal: both }),
      openPart({ ...request.sound, network, kind: 'soun', isWhole: false, isUnbounded: true, signal: both }),
    ]),
  );
  try {
    return await openLayout(request, { picture, sound });
  } catch (error) {
    picture.opened?.flow.stop();
    throw error;
  }
}

function openLayout(
  request: JoinedVideoRequest,
  parts: Readonly<Record<Part, OpenedPart>>,
): Promise<OpenedVideo> {
  const { picture, sound } = parts;
  const layout = layOut(picture, sound, request.tags);
  const { head, size, hasRanges } = layout;
  const sizes = [picture.source.size, sound.source.size];
  return openLaidOut(request, {
    ...{ size, hasRanges },
    etag: hasRanges ? etagFor('joined', head, [...sizes, request.etagOf?.(size)]) : null,
    async open(start, end) {
      const feeds = await openFeeds(parts, (part) => layout.spanOf(part, start, end), request.signal);
      return { ...layout.piecesFrom(start, feeds), feeds };
    },
  });
}

/** Opens both files where the bytes that are needed of them begin. */
async function openFeeds(
  { picture, sound }: Readonly<Record<Part, OpenedPart>>,
  spanOf: (part: Part) => Span | null,
  signal: AbortSignal,
): Promise<Readonly<Record<Part, Feed | null>>> {
  const [seen, heard] = [spanOf('picture'), spanOf('sound')];
  const known = { offset: 0, bytes: sound.head };
  const [pictures, sounds] = await together(signal, (both) => [
    seen && FlowFeed.open(picture.source, seen, both, picture.opened),
    heard && WindowFeed.open(sound.source, heard, known, both),
  ]);
  return { picture: pictures, sound: sounds };
}
