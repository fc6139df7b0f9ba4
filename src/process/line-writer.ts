import { fstatSync, writeSync } from 'node:fs';

/** Writes lines without ever waiting for whoever reads them. */
export interface LineWriter {
  /** @param line with its line break */
  write(line: string): void;
  /** Writes what can be written now. Never fails. */
  writeOut(): void;
  /** How many lines there was no room for. */
  readonly lost: number;
}

interface LineWriterOptions {
  /** Of characters that wait to be written: lines beyond are lost. */
  readonly maxWaiting: number;
  /** So many are written at once when there are. */
  readonly enough: number;
  /** The line that says how many were lost, written when there is room again. */
  readonly tell: (lost: number) => string;
}

const nothing = Buffer.alloc(0);

/** The system would wait for a reader of a pipe who has stopped reading; after this it says that there is no room. */
function neverWait(fd: number): void {
  const file = fstatSync(fd);
  // Node opens its own streams of pipes and sockets without waiting, and gives no other way to ask for it.
  if (fd === 1 && (file.isFIFO() || file.isSocket())) void process.stdout;
}

/**
 * Makes a writer. Loggers come with streams that do this, but at the end of the process those either lose their last
 * lines or try again for ever, and a full disk or a stopped reader then keeps the process from ending.
 * @param fd open for writing; where it is not standard output, it must not block
 */
export function createLineWriter(fd: number, { maxWaiting, enough, tell }: LineWriterOptions): LineWriter {
  neverWait(fd);
  let waiting = '';
  /** The rest of what was handed to the system. */
  let begun: Buffer = nothing;
  let lost = 0;
  let told = 0;

  function writeBegun(): boolean {
    try {
      while (begun.length > 0) begun = begun.subarray(writeSync(fd, begun));
      return true;
    } catch {
      // No room, no reader, no disk: there is nowhere to say so but the count of lines. It is tried again.
      return false;
    }
  }

  function writeOut(): void {
    if (!writeBegun()) return;
    begun = Buffer.from(waiting);
    waiting = '';
    if (!writeBegun() || told === lost) return;
    begun = Buffer.from(tell(lost - told));
    told = lost;
    writeBegun();
  }

  return {
    write(line) {
      if (begun.length + waiting.length + line.length > maxWaiting) {
        lost += 1;
        return;
      }
      waiting += line;
      // Where there was no room a moment ago, trying again for each line would take more time than the requests.
      if (waiting.length >= enough && begun.length === 0) writeOut();
    },
    writeOut,
    get lost() {
      return lost;
    },
  };
}
