import { type Logger, pino } from 'pino';
import type { Environment } from './environment.ts';

/** A logger that writes one JSON line for each event to standard output. */
export function createLogger(environment: Pick<Environment, 'LOG_LEVEL'>): Logger {
  return pino({ level: environment.LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
