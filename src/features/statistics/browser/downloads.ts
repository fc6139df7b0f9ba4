import {
  type Download,
  fileKey,
  isConverting,
  watchDownloads,
} from '../../../web/browser/downloads/downloads.ts';

/** What is told of a file that was saved, or could not be. */
export interface SavedFile {
  readonly format: string;
  readonly option: string;
  /** `success`, `cancelled`, or the failure's key. */
  readonly outcome: string;
  /** Milliseconds from the press until the file was there to be fetched. */
  readonly first_byte_ms?: number | undefined;
  /** Until it was whole; only known of files that are converted: the rest is between the browser and its list. */
  readonly end_ms?: number | undefined;
}

/** How a download has ended; null while it goes on. */
function outcomeOf(download: Download): string | null {
  const { phase, failureKey } = download;
  if (phase === 'failed') return failureKey ?? 'network';
  if (phase === 'cancelled') return phase;
  return phase === 'started' && !isConverting(download) ? 'success' : null;
}

interface Course {
  readonly sinceMs: number;
  firstByteMs: number | undefined;
  isTold: boolean;
}

/**
 * Tells of each download when it has ended, as far as the page knows.
 * @param now milliseconds
 * @returns takes the present downloads
 */
export function createDownloadWatch(now: () => number, tell: (file: SavedFile) => void) {
  const courses = new Map<string, Course>();

  function note(key: string, download: Download): void {
    const { phase, file, conversion } = download;
    const known = courses.get(key);
    // Pressed again, it is another one.
    const isNew = known === undefined || (known.isTold && phase === 'preparing');
    const course = isNew ? { sinceMs: now(), firstByteMs: undefined, isTold: false } : known;
    if (isNew) courses.set(key, course);
    if (course.isTold) return;
    const passedMs = Math.round(now() - course.sinceMs);
    if (phase === 'started') course.firstByteMs ??= passedMs;
    const outcome = outcomeOf(download);
    if (outcome === null) return;
    course.isTold = true;
    const { format, id } = file.option;
    tell({
      format,
      option: id,
      outcome,
      first_byte_ms: course.firstByteMs,
      end_ms: conversion?.state === 'done' ? passedMs : undefined,
    });
  }

  return (downloads: readonly Download[]): void => {
    for (const download of downloads) note(fileKey(download.file), download);
  };
}

/** Watches the page's downloads. @param signal ends it */
export function tellDownloads(tell: (file: SavedFile) => void, signal: AbortSignal): void {
  signal.addEventListener('abort', watchDownloads(createDownloadWatch(() => performance.now(), tell)));
}
