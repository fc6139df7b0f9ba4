import { watchDownloads } from './downloads.ts';
import { isSaved } from './file-requests.ts';

/**
 * Calls back once, when the visitor has saved a file.
 * @returns a function that ends it
 */
export function onFirstSaved(callback: () => void): () => void {
  const end = watchDownloads((downloads) => {
    if (!downloads.some(isSaved)) return;
    end();
    callback();
  });
  return end;
}
