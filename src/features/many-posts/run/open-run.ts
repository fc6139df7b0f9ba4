import type { Locale } from '../../../i18n/languages.ts';
import { inLanguage } from '../../../site/browser/downloads/file-requests.ts';
import { resolveLink } from '../../../site/browser/downloads/resolve-link.ts';
import type { Pace } from '../pace.ts';
import type { Run, RunPost, RunView } from './run.ts';
import { runStore } from './run-store.ts';
import { Runner } from './runner.ts';
import { folderTarget, zipTarget } from './targets.ts';

interface OpenOptions {
  readonly run: Run;
  readonly posts: readonly RunPost[];
  readonly pace: Pace;
  readonly locale: Locale;
  onChange(view: RunView): void;
  /** Told of each zip that the browser got. */
  onZip(file: File): void;
}

/** Puts a stored run to work. It begins when it is started. */
export function openRun({ run, posts, pace, locale, onChange, onZip }: OpenOptions): Runner {
  const { folder } = run;
  const target =
    folder === null
      ? zipTarget({ run, posts, store: runStore, onZip, onZipped: (zipped) => runner.zipped(zipped) })
      : folderTarget(run, folder, runStore);
  const runner = new Runner({
    ...{ run, posts, pace, target, onChange, store: runStore },
    resolve: (link, signal) => resolveLink(link, locale, signal),
    fetch: (href, signal) => fetch(inLanguage(href, locale), { signal }),
    onError: (thrown) => reportError(thrown),
  });
  return runner;
}

/** Asks again for access to a folder that was chosen before a reload: only a press may ask. */
export async function mayWrite(folder: FileSystemDirectoryHandle | null): Promise<boolean> {
  const asked = folder as { requestPermission?(options: object): Promise<PermissionState> } | null;
  return ((await asked?.requestPermission?.({ mode: 'readwrite' })) ?? 'granted') === 'granted';
}

/** Keeps other tabs from the run. @returns lets them have it; null when one has it */
export function claim(): Promise<(() => void) | null> {
  // Only in secure contexts.
  if (!('locks' in navigator)) return Promise.resolve(() => {});
  return new Promise((resolve, reject) => {
    const held = (lock: Lock | null) => {
      if (lock === null) return resolve(null);
      return new Promise<void>((release) => resolve(release));
    };
    navigator.locks.request('many-posts', { ifAvailable: true }, held).catch(reject);
  });
}
