import { type Download, fileKey, watchDownloads } from '../../../site/browser/downloads/downloads.ts';
import { isSaved } from '../../../site/browser/downloads/file-requests.ts';

/** The report on a file that was saved, or failed. */
export interface SavedFile {
  readonly format: string;
  readonly option: string;
  /** `success`, `cancelled`, `broken` when its transfer was, or the failure's key. */
  readonly outcome: string;
  /** Milliseconds from the press until the file was there to be fetched. */
  readonly first_byte_ms?: number | undefined;
  /** Time until the page knew that it was complete; only for converted files. */
  readonly end_ms?: number | undefined;
}

/** A download's outcome; null while it runs, and for one of which nothing more is known. */
function outcomeOf(download: Download): string | null {
  const { phase, failureKey, arrival } = download;
  if (phase === 'failed') return failureKey ?? 'network';
  if (phase === 'cancelled') return phase;
  if (arrival === 'broken') return arrival;
  return isSaved(download) ? 'success' : null;
}

interface Course {
  readonly sinceMs: number;
  firstByteMs: number | undefined;
  isReported: boolean;
}

/**
 * Reports each download's outcome, as far as the page knows it.
 * @param now milliseconds
 * @returns a function that takes the present downloads
 */
export function createDownloadWatch(now: () => number, onSaved: (file: SavedFile) => void) {
  const courses = new Map<string, Course>();

  function note(key: string, download: Download): void {
    const { phase, file, conversion } = download;
    const known = courses.get(key);
    // Pressed again, it is another one.
    const isNew = known === undefined || (known.isReported && phase === 'preparing');
    const course = isNew ? { sinceMs: now(), firstByteMs: undefined, isReported: false } : known;
    if (isNew) courses.set(key, course);
    if (course.isReported) return;
    const passedMs = Math.round(now() - course.sinceMs);
    if (phase === 'started') course.firstByteMs ??= passedMs;
    const outcome = outcomeOf(download);
    if (outcome === null) return;
    course.isReported = true;
    const { format, id } = file.option;
    onSaved({
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
export function reportDownloads(onSaved: (file: SavedFile) => void, signal: AbortSignal): void {
  signal.addEventListener('abort', watchDownloads(createDownloadWatch(() => performance.now(), onSaved)));
}
