import type { DownloadOption, OptionFormat, ResolveResult } from '../../../api.ts';
import type { RequestedFile } from '../../../browser/downloads/downloads.ts';
import { isElsewhere } from '../../../browser/downloads/file-requests.ts';
import type { DownloadButton } from '../../../configuration/configuration.ts';

/** The files of one slide: its picture, its video, or both. */
interface Slide<File> {
  /** Position among all slides of the post, from 1. */
  readonly number: number;
  readonly picture: File | null;
  readonly motion: File | null;
}

/** A slide with the files that a visitor may ask for. */
export type RequestedSlide = Slide<RequestedFile>;

/** A slide's files, its picture first. */
export const filesOf = ({ picture, motion }: RequestedSlide) =>
  [picture, motion].filter((file) => file !== null);

/** Address of a picture's preview; null when this page cannot show it. */
export const pictureOf = (option: DownloadOption) =>
  option.preview_url ?? (isElsewhere(option) ? null : option.href);

/** Another downloader page of the site. */
export interface OtherPage {
  readonly href: string;
  readonly buttons: readonly DownloadButton[];
}

/** Whether a button is for sound. */
export const isSound = (button: DownloadButton) => button === 'mp3' || button === 'm4a';

/** Whether a page with these buttons is for sound, among others. */
export const offersSound = (buttons: readonly DownloadButton[]) => buttons.some(isSound);

/** Whether a page with these buttons shows the pictures of posts: they belong wherever the video would. */
export const offersPictures = (buttons: readonly DownloadButton[]) =>
  buttons.some((button) => !isSound(button));

/** Whether the platform shows only a video's standard version right now. */
export const lacksHd = ({ post, options }: Pick<ResolveResult, 'post' | 'options'>) =>
  post.thin === true && !options.some(({ id }) => id === 'mp4-hd');

/** Sorts a post's options into what this page shows, and leaves out what it does not offer. */
export function chooseOptions(options: readonly DownloadOption[], buttons: readonly DownloadButton[]) {
  const of = (format: OptionFormat) => options.filter((option) => option.format === format);
  const showsPictures = offersPictures(buttons);
  return {
    /** Files in the page's order; the first is the main action. */
    files: buttons.flatMap((button) => options.filter((option) => option.id === button)),
    /** In the post's order; only slides with a file. */
    slides: showsPictures ? slidesOf(options) : [],
    zip: (showsPictures && of('zip')[0]) || null,
    /** All pictures as one video. */
    slideshow: (showsPictures && options.find(({ id }) => id === 'mp4-slideshow')) || null,
  };
}

/** Groups options by the slide number in their id. */
function slidesOf(options: readonly DownloadOption[]): Slide<DownloadOption>[] {
  const slides = new Map<number, Slide<DownloadOption>>();
  for (const option of options) {
    const [, kind, digits] = /^(jpg|mp4)-(\d+)$/.exec(option.id) ?? [];
    if (kind === undefined) continue;
    const number = Number(digits);
    const known = slides.get(number) ?? { number, picture: null, motion: null };
    slides.set(number, { ...known, [kind === 'jpg' ? 'picture' : 'motion']: option });
  }
  return [...slides.values()];
}

/**
 * The page that offers a post's sound, or its video or pictures; null when there is none. For a video or a sound the
 * most specialised page; for pictures, which come with music, the most general one.
 */
export function pageFor(
  { post, options }: Pick<ResolveResult, 'post' | 'options'>,
  pages: readonly OtherPage[],
  wanted: 'sound' | 'picture',
): OtherPage | null {
  const fitting = pages
    .filter(({ buttons }) => {
      const { files, slides } = chooseOptions(options, buttons);
      return wanted === 'sound'
        ? files.some(({ format }) => format === 'mp3' || format === 'm4a')
        : slides.length > 0 || files.some(({ format }) => format === 'mp4');
    })
    .toSorted((one, other) => one.buttons.length - other.buttons.length);
  return (wanted === 'picture' && post.kind === 'photos' ? fitting.at(-1) : fitting[0]) ?? null;
}
