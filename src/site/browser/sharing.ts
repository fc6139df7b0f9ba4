import type { OptionFormat } from '../api.ts';

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

/** Whether this browser can share so many files of a format. */
export function sharesFiles(format: OptionFormat, count = 1): boolean {
  const { canShare } = navigator as Partial<Pick<Navigator, 'canShare'>>;
  const files = Array.from({ length: count }, (_, at) => fileOf([], `${at}.${format}`, format));
  return canShare?.call(navigator, { files }) === true;
}

/** The outcome of sharing; `done` also when the visitor closed the sheet. */
export type ShareOutcome = 'done' | 'copied' | 'refused';

/** Whether the system has a share sheet that pages can open. */
export const hasShareSheet = (): boolean => typeof navigator.share === 'function';

async function outcomeOf(attempt: Promise<void>, success: ShareOutcome): Promise<ShareOutcome> {
  try {
    await attempt;
    return success;
  } catch (thrown) {
    if (!(thrown instanceof DOMException)) throw thrown;
    // The visitor closed the sheet and needs no message; any other error means that the browser forbids sharing.
    return thrown.name === 'AbortError' ? 'done' : 'refused';
  }
}

/** Hands an address to the system's share sheet. */
export const openShareSheet = (page: { title: string; url: string }): Promise<ShareOutcome> =>
  outcomeOf(navigator.share({ title: page.title, url: page.url }), 'done');

/** Puts an address on the clipboard. */
export async function copyAddress(url: string): Promise<ShareOutcome> {
  // Present only in secure contexts.
  const { clipboard } = navigator as { clipboard?: Clipboard };
  return clipboard === undefined ? 'refused' : outcomeOf(clipboard.writeText(url), 'copied');
}
