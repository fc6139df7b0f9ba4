import { stderr } from 'node:process';

const width = 30;
/** The numbers and the label beside it. */
const besideWidth = 40;
/** A bar that moves visibly. */
const everyMs = 100;

/** A progress bar on the terminal; nothing when standard error is no terminal. */
export function createProgress(): { show(label: string, done: number, all: number): void; end(): void } {
  let shownAt = 0;
  return {
    show(label, done, all) {
      const now = performance.now();
      if (!stderr.isTTY || (done < all && now - shownAt < everyMs)) return;
      shownAt = now;
      // A line that wraps could not be overwritten.
      const columns = stderr.columns || 80;
      const room = Math.max(0, Math.min(width, columns - besideWidth));
      const filled = all === 0 ? room : Math.round((room * Math.min(done, all)) / all);
      const bar = `[${'#'.repeat(filled)}${' '.repeat(room - filled)}] ${done}/${all} ${label}`;
      stderr.write(`\r${bar.slice(0, columns - 1)}\x1b[K`);
    },
    end() {
      if (stderr.isTTY) stderr.write('\r\x1b[K');
    },
  };
}
