import { heifFormat, imageFormat, isGif } from '../../images/open-image.ts';
import { isMp4 as startsAsMp4 } from '../media/mp4/top-level-boxes.ts';

/** Checks bytes; returns the reason why they are not acceptable, or null. */
export type Look = (bytes: Buffer) => string | null;

/** Enough to recognise a picture or an mp4. */
export const sniffedBytes = 12;

/** Reads only the first {@link sniffedBytes}. */
export const isPicture: Look = (bytes) =>
  imageFormat(bytes) === null && heifFormat(bytes) === null && !isGif(bytes) ? 'not a picture' : null;

/** Reads only the first {@link sniffedBytes}. */
export const isMp4: Look = (bytes) =>
  startsAsMp4(bytes) && heifFormat(bytes) === null ? null : 'not an mp4';
