import type { DownloadOption, ResolveResult } from '../../../site/api.ts';

/** A button that gives a part of a file. */
export interface CutButton {
  readonly option: DownloadOption;
  /** The name of its format, the same in every language. */
  readonly label: string;
}

/** The cuttable files of a post. */
export type CutChoice = ReturnType<typeof cutChoice>;

const labels: Readonly<Record<string, string>> = { mp4: 'MP4', 'mp4-hd': 'MP4 HD', mp3: 'MP3', m4a: 'M4A' };

/**
 * The files of a post that can be cut: not those of other backends, nor an mp3 that comes from the platform as it is, nor a
 * video that is in fragments.
 */
export function cutChoice({ post, options }: ResolveResult) {
  const here = post.duration_s > 0 ? options.filter(({ href }) => href.startsWith('/')) : [];
  const sound = here.find(({ id }) => id === 'm4a') ?? null;
  const files = here.flatMap((option): CutButton[] => {
    const label = labels[option.id];
    const isWhole = option.whole_only === true || (option.id === 'mp3' && sound === null);
    return label === undefined || isWhole ? [] : [{ option, label }];
  });
  const ringtones = files
    .filter(({ option }) => option.status_href !== undefined)
    .map(({ option, label }) => ({ option, label: option.id === 'm4a' ? 'M4R (iPhone)' : label }));
  /** The waveform is that of the sound; null when there is no suitable one. */
  return { files, ringtones, sound };
}

/** The part of a file that a query requests, as a separate option. */
export function cutOption(option: DownloadOption, query: string): DownloadOption {
  const { id, href, status_href: status } = option;
  return {
    ...option,
    id: `${id}?${query}`,
    bytes: null,
    href: `${href}?${query}`,
    ...(status !== undefined && { status_href: `${status}?${query}` }),
  };
}
