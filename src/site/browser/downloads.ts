/** Browsers drop downloads that a script starts within the same moment. */
const BETWEEN_MS = 600;

/** Starts ordinary browser downloads one after another; the signal leaves out the rest. */
export async function startDownloads(hrefs: readonly string[], signal: AbortSignal): Promise<void> {
  for (const [at, href] of hrefs.entries()) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
    if (signal.aborted) return;
    const link = document.createElement('a');
    link.href = href;
    link.download = '';
    document.body.append(link);
    link.click();
    link.remove();
  }
}
