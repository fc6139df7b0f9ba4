import type { DownloadOption } from '../../../site/api.ts';
import { isElsewhere } from '../../../site/browser/downloads/file-requests.ts';
import type { DownloadButton } from '../../../site/configuration/configuration.ts';

/** MIME types for asking browsers whether they play a file (RFC 6381). */
const types: Readonly<Record<string, string>> = {
  h264: 'video/mp4; codecs="avc1.640028, mp4a.40.2"',
  h265: 'video/mp4; codecs="hvc1.1.6.L120.B0, mp4a.40.2"',
  aac: 'audio/mp4; codecs="mp4a.40.2"',
  mp3: 'audio/mpeg',
};

/** Ids of options, the one to try first: small files before large ones, and what is not encoded before what is. */
const videos = ['mp4', 'mp4-hd'];
const sounds = ['m4a', 'mp3'];

/**
 * The file to play: the video if the page offers it, else the sound; null when this browser plays neither, or another
 * server has them.
 * @param canPlay the result of `canPlayType`
 */
export function playableFile(
  options: readonly DownloadOption[],
  buttons: readonly DownloadButton[],
  canPlay: (type: string) => string,
): DownloadOption | null {
  const isVideoPage = buttons.some((button) => videos.includes(button));
  const isSoundPage = buttons.some((button) => sounds.includes(button));
  const ids = [...(isVideoPage ? videos : []), ...(isSoundPage ? sounds : [])];
  const found = ids
    .map((id) => options.find((option) => option.id === id))
    .find((option) => {
      const type = types[option?.codec ?? ''];
      return option !== undefined && type !== undefined && !isElsewhere(option) && canPlay(type) !== '';
    });
  return found ?? null;
}
