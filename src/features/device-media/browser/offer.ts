import { maxSoundS } from '../../../downloader/slideshow/plan.ts';
import type { DownloadOption, ResolveResult } from '../../../site/api.ts';
import type { DownloadButton } from '../../../site/configuration/configuration.ts';
import { chooseOptions } from '../../../site/pages/tool/files/choose-options.ts';
import { partsAddress } from '../paths.ts';

/**
 * The video that a browser can make of a post: of a slideshow of this site's server that offers no video itself, with a
 * sound that has one or none at all.
 * @returns the zip, whose ticket names the same pictures, and whether the sound has to be encoded: it is no AAC, as far as
 * is known
 */
export function offeredVideo(
  { post, options, no_sound }: Pick<ResolveResult, 'post' | 'options' | 'no_sound'>,
  buttons: readonly DownloadButton[],
) {
  const { zip, slides, slideshow } = chooseOptions(options, buttons);
  const hasPictures = slides.some(({ picture }) => picture !== null);
  if (zip === null || !zip.href.startsWith('/') || !hasPictures || slideshow !== null) return null;
  if (no_sound === 'unsupported' || post.duration_s > maxSoundS) return null;
  const has = (id: string) => options.some((option) => option.id === id);
  return { zip, encodesSound: has('mp3') && !has('m4a') };
}

/** The video as a file of the post, as the server would offer it. @param zip with the address that is good at present */
export const videoOption = (zip: DownloadOption): DownloadOption => ({
  id: 'mp4-slideshow',
  format: 'mp4',
  label: 'MP4 H.264',
  codec: 'h264',
  width: null,
  height: null,
  bytes: null,
  href: partsAddress(zip.href),
});
