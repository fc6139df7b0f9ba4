import { type Download, hasArrived, watchDownloads } from './downloads.ts';
import { isElsewhere } from './file-requests.ts';

/** Whether the visitor has the file, as far as this site can learn it: nothing of one that another server sends. */
export const isSaved = (download: Download): boolean =>
  hasArrived(download) || (download.phase === 'started' && isElsewhere(download.file.option));

/** Calls back once, when the visitor has got a file. @returns ends it */
export function onFirstSaved(callback: () => void): () => void {
  const end = watchDownloads((downloads) => {
    if (!downloads.some(isSaved)) return;
    end();
    callback();
  });
  return end;
}
