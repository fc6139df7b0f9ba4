import type { OptionFormat } from '../../../site/api.ts';

/** A phone holds the whole file in memory until it was shared. */
export const maxBytes = 200_000_000;

const types: Readonly<Record<OptionFormat, string>> = {
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  jpg: 'image/jpeg',
  zip: 'application/zip',
};

/** A file for the share sheet, which selects targets by its type. */
export const fileOf = (parts: BlobPart[], name: string, format: OptionFormat) =>
  new File(parts, name, { type: types[format] });

/** Whether this browser can share such a file. */
export function canShare(format: OptionFormat): boolean {
  const { canShare: ask } = navigator as Partial<Pick<Navigator, 'canShare'>>;
  return ask?.call(navigator, { files: [fileOf([], `file.${format}`, format)] }) === true;
}
