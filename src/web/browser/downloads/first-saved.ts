import { type Download, watchDownloads } from './downloads.ts';

const isSaved = ({ phase, conversion }: Download) =>
  phase === 'started' && (conversion === null || conversion.state === 'done');

/** Calls back once, when the visitor has got a file. @returns ends it */
export function onFirstSaved(callback: () => void): () => void {
  const end = watchDownloads((downloads) => {
    if (!downloads.some(isSaved)) return;
    end();
    callback();
  });
  return end;
}
