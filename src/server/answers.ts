import type { OptionDescription } from '../downloader/options/options.ts';
import type { Post } from '../downloader/posts/post.ts';
import type { Tickets } from '../downloader/tickets/tickets.ts';
import type { Work } from '../downloader/tickets/work.ts';
import type { DownloadOption, ResolveResult } from '../site/api.ts';

/** Pixels: what a cover and a slideshow's picture are shown at, twice for dense screens. */
const coverWidth = 480;
const previewWidth = 320;

/** Codec names as people write them. */
const codecNames: Readonly<Record<string, string>> = { h264: 'H.264', h265: 'H.265' };

/** Names an option without words, so that it reads the same in every language. */
function label({ format, codec, width, height, number }: OptionDescription): string {
  switch (format) {
    case 'mp4':
      return `MP4 ${width}×${height} ${codecNames[codec ?? ''] ?? ''}`.trim();
    case 'mp3':
      return 'MP3 128 kbit/s';
    case 'jpg':
      return `JPG ${number} ${width}×${height}`;
    default:
      return format.toUpperCase();
  }
}

function picture(tickets: Tickets, work: Extract<Work, { kind: 'image' }>): string {
  return `/api/pictures/${tickets.sign(work)}`;
}

function option(description: OptionDescription, tickets: Tickets): DownloadOption {
  const { id, format, codec, width, height, bytes, work, converted } = description;
  const href = `/api/files/${tickets.sign(work)}`;
  const answer: DownloadOption = { id, format, label: label(description), codec, width, height, bytes, href };
  if (converted) answer.status_href = `${href}/status`;
  if (work.kind === 'picture')
    answer.preview_url = picture(tickets, {
      kind: 'image',
      post: work.post,
      what: 'picture',
      index: work.index,
      width: previewWidth,
    });
  return answer;
}

/** What `POST /api/resolve` and the pages answer for a post: every address in it is on this site. */
export function resolveResult(
  post: Post,
  options: readonly OptionDescription[],
  tickets: Tickets,
): ResolveResult {
  const { platform, id, url, kind, author, title, durationS, cover, createdAt } = post;
  return {
    post: {
      platform,
      id,
      url,
      kind,
      author,
      title,
      duration_s: durationS,
      cover_url:
        cover === null
          ? null
          : picture(tickets, { kind: 'image', post: { platform, id }, what: 'cover', width: coverWidth }),
      created_at: createdAt === null ? null : new Date(createdAt * 1000).toISOString(),
    },
    options: options.map((one) => option(one, tickets)),
  };
}
