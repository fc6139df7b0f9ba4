import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Extractor } from '../../downloader/extractors/extractor.ts';
import type { MediaNetwork } from '../../downloader/network/contracts.ts';
import { type Environment, readEnvironment } from '../../process/environment.ts';
import type { Database } from '../../stores/contracts/database.ts';
import type { PictureFiles } from '../../stores/contracts/picture-files.ts';
import { openDatabase } from '../../stores/open/database.ts';
import { openObjectStore } from '../../stores/open/object-store.ts';
import { openPictureFiles } from '../../stores/open/picture-files.ts';
import { announceChange, type ChangeTopic } from '../../stores/open/redis.ts';
import type { SiteConfiguration } from '../configuration/configuration.ts';

/** The program's interface to a command. */
export interface CommandTools {
  /** Reads and checks a site configuration file. @throws Error which names the file */
  readConfiguration(file: string): SiteConfiguration;
  /** Opens what reads posts; its network has to be closed. */
  openPlatform(environment: Environment): Promise<{
    readonly network: Pick<MediaNetwork, 'close'>;
    readonly extractors: readonly Extractor[];
  }>;
}

/** One of the operator's commands. */
export interface Command {
  readonly usage: string;
  readonly about: string;
  /** @returns the exit code: 0 done, 1 failed, 2 called wrongly */
  run(words: readonly string[], tools: CommandTools): Promise<number>;
}

/** A command that was called wrongly; its message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Parses a command's options and arguments. @throws UsageError */
export function readWords<O extends ParseArgsOptionsConfig>(words: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/** Errors outside a command's own work, on standard error. */
const commandLog = () => pino({ level: 'warn' }, pino.destination({ fd: 2, sync: true }));

/**
 * Runs a task with the site's database and closes it.
 * @param changes are announced to running instances afterwards, even if the task failed midway
 */
export async function withDatabase<R>(
  work: (database: Database, environment: Environment) => Promise<R>,
  changes?: ChangeTopic,
): Promise<R> {
  const environment = readEnvironment(process.env);
  const logger = commandLog();
  const database = await openDatabase(environment, logger);
  try {
    return await work(database, environment);
  } finally {
    await database.close();
    if (changes !== undefined) await announceChange(environment, changes, logger);
  }
}

/** Does something with the pictures of articles, authors and ads, wherever the environment has them. */
export async function withPictures<R>(
  database: Database,
  environment: Environment,
  work: (pictures: PictureFiles) => Promise<R>,
): Promise<R> {
  const objects = await openObjectStore(environment, new Registry(), commandLog());
  try {
    return await work(await openPictureFiles(database, objects));
  } finally {
    await objects?.close();
  }
}

/** Characters that control a terminal, or that it hides or reorders, beyond those that JSON escapes. */
const commanding = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * A value as JSON that is safe to print: its content comes from visitors and authors.
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
