import { fstatSync, writeSync } from 'node:fs';

interface LineWriterOptions {
  /** Maximum characters waiting to be written; further lines are dropped. */
  readonly maxWaiting: number;
  /** Characters that are written at once when available. */
  readonly enough: number;
  /** Formats the line that reports the number of dropped lines, written when there is room again. */
  readonly formatLoss: (lost: number) => string;
}

const nothing = Buffer.alloc(0);

/** The system waits for a reader of a pipe that has stopped reading; after this it reports that there is no room. */
function neverWait(fd: number): void {
  const file = fstatSync(fd);
  // Node opens its own pipe and socket streams as non-blocking and offers no other API for it.
  if (fd === 1 && (file.isFIFO() || file.isSocket())) void process.stdout;
}

/**
 * Creates a writer. Loggers' own streams either lose their last lines at exit or retry for ever, so that a full disk or
 * a stopped reader keeps the process alive.
 * @param fd open for writing; must be non-blocking unless it is standard output
 */
export function createLineWriter(fd: number, { maxWaiting, enough, formatLoss }: LineWriterOptions) {
  neverWait(fd);
  let waiting = '';
  /** The rest of what was handed to the system. */
  let begun: Buffer = nothing;
  let lost = 0;
  let reported = 0;

  function writeBegun(): boolean {
    try {
      while (begun.length > 0) begun = begun.subarray(writeSync(fd, begun));
      return true;
    } catch {
      // No room, no reader or no disk: the error can only show in the number of dropped lines. It is retried.
      return false;
    }
  }

  function writeOut(): void {
    if (!writeBegun()) return;
    begun = Buffer.from(waiting);
    waiting = '';
    if (!writeBegun() || reported === lost) return;
    begun = Buffer.from(formatLoss(lost - reported));
    reported = lost;
    writeBegun();
  }

  return {
    /** @param line with its line break */
    write(line: string) {
      if (begun.length + waiting.length + line.length > maxWaiting) {
        lost += 1;
        return;
      }
      waiting += line;
      // Retrying for each line after a failure would take more time than the requests.
      if (waiting.length >= enough && begun.length === 0) writeOut();
    },
    /** Writes what can be written now. Never fails. */
    writeOut,
    /** Number of lines dropped for lack of room. */
    get lost() {
      return lost;
    },
  };
}
