/** How passing a page on has ended; `done` also where the visitor thought better of it. */
export type ShareOutcome = 'done' | 'copied' | 'refused';

/** Whether the system has a share sheet that pages can open. */
export const hasShareSheet = (): boolean => typeof navigator.share === 'function';

async function outcomeOf(attempt: Promise<void>, success: ShareOutcome): Promise<ShareOutcome> {
  try {
    await attempt;
    return success;
  } catch (thrown) {
    if (!(thrown instanceof DOMException)) throw thrown;
    // Closed by the visitor, who needs no word about it; anything else the browser did not allow.
    return thrown.name === 'AbortError' ? 'done' : 'refused';
  }
}

/** Hands an address to the system's share sheet. */
export const openShareSheet = (page: { title: string; url: string }): Promise<ShareOutcome> =>
  outcomeOf(navigator.share({ title: page.title, url: page.url }), 'done');

/** Puts an address on the clipboard. */
export async function copyAddress(url: string): Promise<ShareOutcome> {
  // Only where the connection is safe.
  const { clipboard } = navigator as { clipboard?: Clipboard };
  return clipboard === undefined ? 'refused' : outcomeOf(clipboard.writeText(url), 'copied');
}
