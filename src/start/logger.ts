import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { LogRequest } from '../server/parts.ts';
import type { Environment } from './environment.ts';

/** How long a line may wait for others to be written with it: each writing costs a page's worth of time. */
const patienceMs = 50;
const patienceLength = 16_000;

let lastMs = 0;
let lastTime = '';

/** Written once for all lines of a millisecond. */
function isoTime(): string {
  const now = Date.now();
  if (now === lastMs) return lastTime;
  lastMs = now;
  lastTime = new Date(now).toISOString();
  return lastTime;
}

/**
 * Where lines go: they are put together and handed over in one piece, since each handing over costs more than making a
 * line.
 */
function standardOutput(): DestinationStream & { flushSync(): void } {
  const output = destination({ dest: 1, sync: true });
  let waiting = '';
  const handOver = () => {
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    output.write(lines);
  };
  setInterval(handOver, patienceMs).unref();
  return {
    write(line) {
      waiting += line;
      if (waiting.length >= patienceLength) handOver();
    },
    flushSync() {
      handOver();
      output.flushSync();
    },
  };
}

/** Ways to write one JSON line for each event. */
export interface Log {
  readonly logger: Logger;
  /** Writes the line of a request that was answered, as the logger would write it, in less than half of its time. */
  readonly logRequest: LogRequest;
}

/**
 * A log on standard output, of which several lines are written at once when the site is busy. None is lost when the
 * process ends by itself.
 */
export function createLog(environment: Pick<Environment, 'LOG_LEVEL'>): Log {
  const output = standardOutput();
  process.once('exit', () => {
    try {
      output.flushSync();
    } catch {
      // Not open yet, or nobody listens any more: there is nowhere left to say so.
    }
  });
  const timestamp = () => `,"time":"${isoTime()}"`;
  const logger = pino({ level: environment.LOG_LEVEL, base: null, timestamp }, output);
  const level = logger.levels.values.info;
  const logRequest: LogRequest = (facts) =>
    output.write(
      `{"level":${level},"time":"${isoTime()}","msg":"request",${JSON.stringify(facts).slice(1)}\n`,
    );
  return { logger, logRequest: logger.isLevelEnabled('info') ? logRequest : () => {} };
}
