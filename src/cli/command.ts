import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { pino } from 'pino';
import { openDatabase } from '../start/parts/database.ts';
import { type Environment, readEnvironment } from '../start/process/environment.ts';
import type { Database } from '../stores/contracts/database.ts';

/** One of the operator's commands. */
export interface Command {
  readonly usage: string;
  readonly about: string;
  /** @returns the exit code: 0 done, 1 failed, 2 called wrongly */
  run(words: readonly string[]): Promise<number>;
}

/** A command that was called wrongly; its message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Splits what follows a command into options and words.
 * @throws UsageError
 */
export function readWords<O extends ParseArgsOptionsConfig>(words: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/** Does something with the site's database and closes it. */
export async function withDatabase<R>(
  work: (database: Database, environment: Environment) => Promise<R>,
): Promise<R> {
  const environment = readEnvironment(process.env);
  const logger = pino({ level: 'warn' }, pino.destination({ fd: 2, sync: true }));
  const database = await openDatabase(environment, logger);
  try {
    return await work(database, environment);
  } finally {
    await database.close();
  }
}

/** Signs that command a terminal, or that it hides or turns around, beside those that JSON escapes by itself. */
const commanding = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * A value as JSON that is safe to look at: visitors and authors wrote what is in it.
 * @param indent spaces for each level; 0 for one line
 */
export function terminalJson(value: unknown, indent = 0): string {
  const escaped = (sign: string) =>
    sign === '\n'
      ? sign
      : Array.from(
          { length: sign.length },
          (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`,
        ).join('');
  return JSON.stringify(value, null, indent).replace(commanding, escaped);
}

/** Text for a terminal: what could command it is replaced, line breaks stay. */
export function terminalText(text: string): string {
  return text.replace(commanding, (sign) => (sign === '\n' ? sign : '\ufffd'));
}

/** Prints a value for machines. */
export function printJson(value: unknown): void {
  console.log(terminalJson(value, 2));
}

/** Prints lines for people. */
export function printText(text: string): void {
  console.log(terminalText(text));
}

/** Prints what went wrong. */
export function printError(text: string): void {
  console.error(terminalText(text));
}
