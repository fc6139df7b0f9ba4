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
