import { heifFormat, imageFormat } from '../../images/open-image.ts';

/** What bytes must be, or the reason why they are not. */
export type Look = (bytes: Buffer) => string | null;

/** Enough to tell a picture or an mp4 by. */
export const sniffedBytes = 12;

/** By its first {@link sniffedBytes}. */
export const isPicture: Look = (bytes) =>
  imageFormat(bytes) === null && heifFormat(bytes) === null ? 'not a picture' : null;

/** By its first {@link sniffedBytes}. */
export const isMp4: Look = (bytes) =>
  bytes.toString('latin1', 4, 8) === 'ftyp' && heifFormat(bytes) === null ? null : 'not an mp4';
