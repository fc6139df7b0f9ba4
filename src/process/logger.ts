import { fstatSync, writeSync } from 'node:fs';
import { type Logger, type LoggerOptions, pino, type SerializedError, stdSerializers } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { Environment } from './environment.ts';
import { withoutPosts } from './without-posts.ts';

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

/** Fields of a failure that only the visitor may see. */
const links: ReadonlySet<string> = new Set(['link', 'otherLink']);

/** An error's own fields can be lists of untrusted data. */
const mostEntries = 30;
const maxDepth = 4;

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return withoutPosts(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '…';
  if (Array.isArray(value)) return value.slice(0, mostEntries).map((one) => clean(one, depth + 1));
  const entries = Object.entries(value).filter(([name]) => !links.has(name));
  return Object.fromEntries(
    entries.slice(0, mostEntries).map(([name, one]) => [name, clean(one, depth + 1)]),
  );
}

/** An error as the log has it: with its causes and stack, without the post that it is about, and never without a bound. */
export function serializeError(error: Error): SerializedError {
  return clean(stdSerializers.err(error), 0) as SerializedError;
}

/** Pino's number for `error`: lines of at least this level are passed to the listener. */
const errorLevel = 50;

/** Lines are written together, one call to the system for all that came within so many milliseconds or characters. */
const flushMs = 50;
const flushLength = 16_000;

/** Characters that wait for a reader who pauses: some thousands of lines. */
const maxWaiting = 1_000_000;

const isoTime = () => new Date().toISOString();

type ErrorListener = (error: unknown, requestId: string | undefined) => void;

/** Tells of errors as they are written; the lines are what they would be without. */
function errorHook(listener: () => ErrorListener | null): NonNullable<LoggerOptions['hooks']> {
  return {
    logMethod(args, method, level) {
      const [facts] = args as unknown[];
      const err = typeof facts === 'object' && facts !== null && 'err' in facts ? facts.err : undefined;
      if (level >= errorLevel && err !== undefined) {
        const { reqId } = this.bindings();
        listener()?.(err, typeof reqId === 'string' ? reqId : undefined);
      }
      method.apply(this, args);
    },
  };
}

/** Writes one line for a request that was answered. */
export type LogRequest = (facts: Readonly<Record<string, string | number>>) => void;

/** Ways to write one JSON line for each event. */
export interface Log {
  readonly logger: Logger;
  /**
   * Writes the line of a request that was answered (with `ACCESS_LOG`), as the logger would write it, in less than half
   * of its time.
   */
  readonly logRequest: LogRequest;
  /** Passes each logged error to a listener, with the id of its request. */
  readonly onError: (listener: ErrorListener) => void;
  /** Number of lines that were dropped because the reader stopped or the disk was full. */
  readonly lostLines: () => number;
}

/**
 * A log on standard output, which writes several lines at once on a busy site. The site never waits for it: lines that
 * cannot be written for long are dropped and counted. The rest is written once at exit.
 */
export function createLog(environment: Pick<Environment, 'LOG_LEVEL' | 'ACCESS_LOG'>): Log {
  let listener: ErrorListener | null = null;
  const level = pino.levels.values.info;
  const output = createLineWriter(1, {
    maxWaiting,
    enough: flushLength,
    formatLoss: (lost) =>
      `{"level":${pino.levels.values.warn},"time":"${isoTime()}","msg":"lines of the log were lost","lost":${lost}}\n`,
  });
  setInterval(output.writeOut, flushMs).unref();
  process.once('exit', output.writeOut);
  const timestamp = () => `,"time":"${isoTime()}"`;
  const hooks = errorHook(() => listener);
  const serializers = { err: serializeError };
  const logger = pino({ level: environment.LOG_LEVEL, base: null, timestamp, hooks, serializers }, output);
  const logRequest: LogRequest = (facts) =>
    output.write(
      `{"level":${level},"time":"${isoTime()}","msg":"request",${JSON.stringify(facts).slice(1)}\n`,
    );
  return {
    logger,
    logRequest: environment.ACCESS_LOG && logger.isLevelEnabled('info') ? logRequest : () => {},
    onError(told) {
      listener = told;
    },
    lostLines: () => output.lost,
  };
}

/** Shows how many lines of the log were lost: what a log itself cannot say. */
export function countLostLines(metrics: Registry, lostLines: Log['lostLines']): void {
  new Counter({
    name: 'clipferry_log_lines_lost_total',
    help: 'Lines of the log that nobody read in time, or for which there was no room.',
    registers: [metrics],
    collect() {
      this.reset();
      this.inc(lostLines());
    },
  });
}
