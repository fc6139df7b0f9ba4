import { randomUUID } from 'node:crypto';
import type { FileChoice } from '../../downloader/options/file-choice.ts';
import {
  captionsWork,
  coverFileWork,
  coverWork,
  listOptions,
  listVersions,
  type OptionDescription,
} from '../../downloader/options/options.ts';
import { type Post, songOf } from '../../downloader/post/post.ts';
import { isConversion, type TicketFile } from '../../downloader/tickets/ticket-file.ts';
import type { Tickets } from '../../downloader/tickets/tickets.ts';
import type { DownloadOption, ResolveResult } from '../../site/api.ts';

/** Names an option without words, so that it reads the same in every language. */
function label({ format, label, codec, width, height }: OptionDescription): string {
  switch (label.kind) {
    case 'video':
    case 'video_hd': {
      const name = codec === 'h265' ? 'H.265' : 'H.264';
      return width === null || height === null ? `MP4 ${name}` : `MP4 ${width}×${height} ${name}`;
    }
    case 'mp3':
      return label.kilobitsPerSecond === null ? 'MP3' : `MP3 ${label.kilobitsPerSecond} kbps`;
    case 'picture':
    case 'motion':
      return `${label.kind === 'picture' ? 'JPG' : 'MP4'} ${label.number}/${label.count}`;
    case 'slideshow':
      return 'MP4 H.264';
    default:
      return format.toUpperCase();
  }
}

const markOf = (mayBeMarked = false) => (mayBeMarked ? ({ may_have_watermark: true } as const) : {});

function toDownloadOption(description: OptionDescription, tickets: Tickets, waiter: string): DownloadOption {
  const { id, format, codec, width, height, bytes, work, preview, converted, isWholeOnly, mayBeMarked } =
    description;
  const href = `/api/files/${tickets.sign(isConversion(work) ? { ...work, waiter } : work)}`;
  return {
    id,
    format,
    label: label(description),
    codec,
    width,
    height,
    bytes,
    href,
    ...(converted && { status_href: `${href}/status` }),
    ...(isWholeOnly && { whole_only: true }),
    ...markOf(mayBeMarked),
    ...(preview !== null && { preview_url: `/api/pictures/${tickets.sign(preview)}` }),
  };
}

/**
 * The response of `POST /api/resolve` and of the pages for a post: every address in it is on this site.
 * @param isSong whether the post is the sound that a post uses, as `asSong` makes it
 */
export function resolveResult(
  post: Post,
  choice: FileChoice,
  tickets: Tickets,
  isSong = false,
): ResolveResult {
  const { platform, id, url, kind, author, title, durationS, createdAt } = post;
  const cover = coverWork(post);
  const song = songOf(post);
  // Another visitor with the same IP address gets another response, and cannot cancel this one's conversions. 48 random
  // bits: the ticket is signed, so they need not be hard to guess, only seldom the same twice.
  const waiter = randomUUID().slice(-12);
  const options = listOptions(post, choice).map((one) =>
    toDownloadOption(
      isSong && one.work.kind === 'sound' ? { ...one, work: { ...one.work, song: true } } : one,
      tickets,
      waiter,
    ),
  );
  const hrefOf = (work: TicketFile) => `/api/files/${tickets.sign(work)}`;
  const coverFile = coverFileWork(post);
  const versions = listVersions(post, choice).map(
    ({ framesPerSecond: fps, work, mayBeMarked, ...version }) => ({
      ...version,
      fps,
      href: hrefOf(work),
      ...markOf(mayBeMarked),
    }),
  );
  const captions = (post.captions ?? []).map(({ language, origin }) => ({
    language,
    origin,
    href: hrefOf(captionsWork(post, language)),
  }));
  const hasSound = options.some(({ format }) => format === 'mp3' || format === 'm4a');
  const noSound = hasSound ? null : choice.isUnsupported ? 'unsupported' : 'missing';
  return {
    post: {
      platform,
      id,
      url,
      // Only for slideshows does the platform return a song in place of a video.
      kind: choice.isSong ? 'photos' : kind,
      author,
      title,
      duration_s: durationS,
      cover_url: cover === null ? null : `/api/pictures/${tickets.sign(cover)}`,
      ...(coverFile !== null && { cover_href: hrefOf(coverFile) }),
      ...(versions.length > 0 && { versions }),
      ...(captions.length > 0 && { captions }),
      sound: song === null ? null : { title: song.title, artist: song.artist },
      created_at: createdAt === null ? null : new Date(createdAt * 1000).toISOString(),
      ...(post.stats && { stats: post.stats }),
      ...(post.isThin && !choice.isSong && { thin: true }),
      ...(post.pictures.length > 0 && { slides: post.pictures.length }),
    },
    options,
    ...(noSound !== null && { no_sound: noSound }),
  };
}
