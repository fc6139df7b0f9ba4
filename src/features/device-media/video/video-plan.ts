import type { Captions, DownloadOption } from '../../../site/api.ts';
import type { RequestedFile } from '../../../site/browser/downloads/downloads.ts';
import type { Encoding, Reason } from './plan-fit.ts';

/** Another video that this browser makes of a post's. */
export interface VideoPlan {
  readonly source: DownloadOption;
  /** The part that the server cuts out of it; null for all of it. */
  readonly part: { readonly fromMs: number; readonly toMs: number } | null;
  readonly durationS: number;
  /** How the picture is encoded; null where it is copied. */
  readonly encoding: Encoding | null;
  /** Null for any size. */
  readonly maxBytes: number | null;
  readonly captions: { readonly track: Captions; readonly isBurned: boolean } | null;
  /** A sentence in the page's language: why there is no file, and what can be had. */
  explain(reason: Reason | null): string;
}

interface PlannedOption extends DownloadOption {
  readonly plan: VideoPlan;
}

/** The file's differences from others, as words of a file's name. */
function wordsOf({ part, encoding, maxBytes, captions }: VideoPlan): string[] {
  return [
    ...(part === null ? [] : [`${part.fromMs / 1000}-${part.toMs / 1000}`]),
    ...(maxBytes === null ? [] : [`${maxBytes / 1e6}mb`]),
    ...(maxBytes === null && encoding !== null ? ['h264'] : []),
    ...(captions === null
      ? []
      : [`${captions.isBurned ? 'captioned' : 'captions'}-${captions.track.language}`]),
  ];
}

/** The video as a file of the post. */
export function plannedOption(plan: VideoPlan): DownloadOption {
  const { source, encoding } = plan;
  const option: PlannedOption = {
    ...{ id: `${source.id}-${wordsOf(plan).join('-')}`, format: 'mp4', label: 'MP4', bytes: null, plan },
    codec: encoding === null ? source.codec : 'h264',
    width: encoding === null ? source.width : encoding.width,
    height: encoding === null ? source.height : encoding.height,
    // Opened in another tab, it is the video itself.
    href: source.href,
  };
  return option;
}

export const planOf = ({ option }: RequestedFile): VideoPlan | null =>
  'plan' in option ? (option as PlannedOption).plan : null;

/** The file's name, by that of the video. */
export const plannedName = (name: string, plan: VideoPlan): string =>
  [name.replace(/\.mp4$/, ''), ...wordsOf(plan)].join('-').concat('.mp4');
