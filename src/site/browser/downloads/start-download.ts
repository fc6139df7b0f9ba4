import type { Locale } from '../../../i18n/languages.ts';
import { cancelConversion, watchConversion, watchConversions } from './conversion.ts';
import {
  type ConversionStatus,
  type Download,
  fileKey,
  isConverting,
  presentDownloads,
  type RequestedFile,
  showDownloads,
} from './downloads.ts';
import { type Wish, whenMade } from './either-maker.ts';
import { forgetRenewed, inLanguage, isElsewhere, presentOption } from './file-requests.ts';
import { handOver, handOverMade, handOverWatched } from './hand-over.ts';

/** A second press within this time is a slip of the finger, or impatience. */
const pressAgainAfterMs = 3000;
/** Browsers drop downloads that a script starts within the same moment. */
const betweenMs = 600;

/** The running downloads' abort controllers and status subscriptions. */
const running = new Map<string, { readonly abort: AbortController; stopWatching(): void }>();
const startedAtMs = new Map<string, number>();

function set(key: string, download: Download): void {
  showDownloads(new Map(presentDownloads()).set(key, download));
}

function change(key: string, changed: Partial<Download>): void {
  const before = presentDownloads().get(key);
  if (before !== undefined) set(key, { ...before, ...changed });
}

/** Whether leaving the page now would end a conversion: the browser does not have the file yet. */
export function isAnyOnlyHere(): boolean {
  return [...presentDownloads().values()].some(
    (download) => download.phase === 'preparing' && isConverting(download),
  );
}

function isUnderWay(key: string): boolean {
  const download = presentDownloads().get(key);
  if (download === undefined) return false;
  const sinceMs = performance.now() - (startedAtMs.get(key) ?? Number.NEGATIVE_INFINITY);
  return (
    download.phase === 'preparing' ||
    isConverting(download) ||
    (download.phase === 'started' && download.arrival !== 'broken' && sinceMs < pressAgainAfterMs)
  );
}

const madeHere = { state: 'done', ahead: null, progress: 1, error: null } as const;

/**
 * Starts a browser download as soon as the server has the file ready; `useDownloads` reports its state. No effect while
 * the same file is in progress.
 */
export async function startDownload(file: RequestedFile, locale: Locale): Promise<void> {
  const key = fileKey(file);
  if (isUnderWay(key)) return;
  running.get(key)?.stopWatching();
  running.get(key)?.abort.abort();
  const abort = new AbortController();
  const job = { abort, stopWatching: () => {}, lookAgain: () => {} };
  running.set(key, job);
  set(key, { file, phase: 'preparing', conversion: null, message: null, failureKey: null, retryAt: null });
  const follow = (status: ConversionStatus) => {
    const { state, error } = status;
    if (state !== 'failed' && state !== 'cancelled') {
      change(key, { conversion: status });
      // The file's last bytes follow at once.
      if (state === 'done') job.lookAgain();
    }
    // Until the browser has taken over the file, the page reports its outcome.
    else if (presentDownloads().get(key)?.phase === 'started')
      change(key, { phase: state, message: error?.message ?? null, failureKey: error?.key ?? null });
  };
  try {
    const watch: Wish['watch'] = (option, tell) => {
      job.stopWatching();
      job.stopWatching = () => {};
      if (option?.status_href !== undefined)
        job.stopWatching = watchConversion(inLanguage(option.status_href, locale), tell, () =>
          change(key, { conversion: null }),
        );
      else if (option !== null && file.parts !== undefined && file.parts.length > 0)
        job.stopWatching = watchConversions(file.parts, tell);
    };
    const ready = await whenMade({ file, locale, signal: abort.signal, watch, follow });
    abort.signal.throwIfAborted();
    if ('made' in ready) {
      job.stopWatching();
      startedAtMs.set(key, performance.now());
      handOverMade(ready.made);
      const { no_sound, missing_photos } = presentDownloads().get(key)?.conversion ?? {};
      change(key, {
        phase: 'started',
        arrival: 'saved',
        conversion: { ...madeHere, bytes: ready.made.size, no_sound, missing_photos },
      });
      return;
    }
    if ('href' in ready) {
      startedAtMs.set(key, performance.now());
      const { href, name } = ready;
      change(key, { phase: 'started', arrival: null, name });
      if (isElsewhere(presentOption(file))) handOver(href, name);
      else
        job.lookAgain = handOverWatched(
          href,
          name,
          abort.signal,
          (arrival, missingPhotos) => {
            if (presentDownloads().get(key)?.phase === 'started') change(key, { arrival, missingPhotos });
          },
          (bytes) => change(key, { bytes }),
        );
      return;
    }
    const { key: failureKey, message, retry_after_s: seconds } = ready;
    change(key, {
      phase: 'failed',
      message,
      failureKey,
      retryAt: seconds === undefined ? null : Date.now() + seconds * 1000,
    });
  } catch (thrown) {
    if (abort.signal.aborted) return;
    change(key, { phase: 'failed' });
    // A fetch without a readable response is a network failure; any other error is ours and must surface.
    if (!(thrown instanceof TypeError || thrown instanceof SyntaxError)) throw thrown;
  }
  job.stopWatching();
}

/** Starts several downloads one after another; the signal leaves out the rest. */
export async function startDownloads(
  files: readonly RequestedFile[],
  locale: Locale,
  signal: AbortSignal,
): Promise<void> {
  for (const [at, file] of files.entries()) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, betweenMs));
    if (signal.aborted) return;
    await startDownload(file, locale);
  }
}

/** Ends a conversion at the visitor's request, and its download. */
export async function cancelDownload(key: string): Promise<void> {
  const download = presentDownloads().get(key);
  const job = running.get(key);
  if (download === undefined || job === undefined) return;
  const { status_href } = presentOption(download.file);
  const made = status_href === undefined ? (download.file.parts ?? []) : [status_href];
  if (download.phase === 'preparing') {
    job.stopWatching();
    job.abort.abort();
    change(key, { phase: 'cancelled' });
  }
  if (made.length === 0) return;
  try {
    const cancelled = await Promise.all(made.map(cancelConversion));
    // A finished conversion cannot be cancelled: its file arrives.
    if (cancelled.some(Boolean)) change(key, { phase: 'cancelled' });
  } catch (thrown) {
    if (!(thrown instanceof TypeError || thrown instanceof SyntaxError)) throw thrown;
    if (download.phase !== 'preparing') change(key, { phase: 'failed', message: null });
  }
}

/** Removes an ended download from the page. */
export function forgetDownload(key: string): void {
  const next = new Map(presentDownloads());
  next.delete(key);
  running.get(key)?.abort.abort();
  running.delete(key);
  startedAtMs.delete(key);
  showDownloads(next);
}

/** Ends all downloads of a post that is no longer shown, except running conversions. */
export function forgetDownloadsOf(postId: string): void {
  for (const [key, download] of presentDownloads())
    if (download.file.post.id === postId && download.phase !== 'preparing' && !isConverting(download))
      forgetDownload(key);
  forgetRenewed(postId);
}
