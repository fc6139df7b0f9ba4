import { stderr } from 'node:process';

const width = 30;
/** Often enough to be seen moving. */
const everyMs = 100;

/** A progress bar on the terminal; nothing when standard error is no terminal. */
export function createProgress(): { show(label: string, done: number, all: number): void; end(): void } {
  let shownAt = 0;
  return {
    show(label, done, all) {
      const now = performance.now();
      if (!stderr.isTTY || (done < all && now - shownAt < everyMs)) return;
      shownAt = now;
      const filled = all === 0 ? width : Math.round((width * done) / all);
      stderr.write(`\r[${'#'.repeat(filled)}${' '.repeat(width - filled)}] ${done}/${all} ${label}\x1b[K`);
    },
    end() {
      if (stderr.isTTY) stderr.write('\r\x1b[K');
    },
  };
}
