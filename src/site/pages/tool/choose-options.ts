import type { DownloadOption, OptionFormat } from '../../api.ts';
import type { DownloadButton } from '../../configuration.ts';

/** A post's options as one downloader page shows them. */
export interface ChosenOptions {
  /** In the page's order: the first is the strong action. */
  readonly files: readonly DownloadOption[];
  readonly pictures: readonly DownloadOption[];
  readonly zip: DownloadOption | null;
}

/** The formats that a page with these buttons asks for. Pictures belong wherever the video would. */
export function offeredFormats(buttons: readonly DownloadButton[]): readonly OptionFormat[] {
  const formats = new Set<OptionFormat>();
  for (const button of buttons) {
    if (button === 'mp4' || button === 'mp4-hd')
      for (const format of ['mp4', 'jpg', 'zip'] as const) formats.add(format);
    else formats.add(button);
  }
  return [...formats];
}

/** Sorts a post's options into what this page shows, and leaves out what it does not offer. */
export function chooseOptions(
  options: readonly DownloadOption[],
  buttons: readonly DownloadButton[],
): ChosenOptions {
  const formats = offeredFormats(buttons);
  return {
    files: buttons.flatMap((button) => options.filter((option) => option.id === button)),
    pictures: formats.includes('jpg') ? options.filter((option) => option.format === 'jpg') : [],
    zip: (formats.includes('zip') && options.find((option) => option.format === 'zip')) || null,
  };
}
