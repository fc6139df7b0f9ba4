import { createStore } from '../store.ts';
import { isConverting, useDownloads } from './downloads.ts';

/** The tool's state: without a link, busy, with a result or a list of posts, or failed. */
type ToolKind = 'idle' | 'resolving' | 'ready' | 'list' | 'failed';

const present = createStore<ToolKind>('idle');

/** Publishes the state of the page's tool; pages without one are idle. */
export const showToolKind = present.set;

/** Whether the tool is at work for the visitor: it looks for a post, or a file is being fetched or converted. */
export function useToolBusy(): boolean {
  const kind = present.use();
  const downloads = useDownloads();
  return (
    kind === 'resolving' ||
    [...downloads.values()].some((download) => download.phase === 'preparing' || isConverting(download))
  );
}
