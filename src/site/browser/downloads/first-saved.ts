import { watchDownloads } from './downloads.ts';
import { isSaved } from './file-requests.ts';

/** Calls back once, when the visitor has got a file. @returns ends it */
export function onFirstSaved(callback: () => void): () => void {
  const end = watchDownloads((downloads) => {
    if (!downloads.some(isSaved)) return;
    end();
    callback();
  });
  return end;
}
