import { useSyncExternalStore } from 'react';
import { isConverting, useDownloads } from './downloads.ts';

/** The tool's state: without a link, busy, with a result or a list of posts, or failed. */
type ToolKind = 'idle' | 'resolving' | 'ready' | 'list' | 'failed';

let present: ToolKind = 'idle';
const listeners = new Set<() => void>();

/** Publishes the state of the page's tool; pages without one are idle. */
export function showToolKind(kind: ToolKind): void {
  if (kind === present) return;
  present = kind;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the tool is at work for the visitor: it looks for a post, or a file is being fetched or converted. */
export function useToolBusy(): boolean {
  const kind = useSyncExternalStore(
    subscribe,
    () => present,
    () => 'idle',
  );
  const downloads = useDownloads();
  return (
    kind === 'resolving' ||
    [...downloads.values()].some((download) => download.phase === 'preparing' || isConverting(download))
  );
}
