import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** Another process may be writing a whole import. */
const busyLimitMs = 20_000;
const busyPauseMs = 10;
const maxStatements = 300;

/** SQLite's result codes 5 and 6: somebody else has the lock. The extended ones keep them in their low byte. */
function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && ((errcode & 0xff) === 5 || (errcode & 0xff) === 6);
}

function toInput(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === undefined) throw new TypeError('undefined is no value of a query');
  return value as SQLInputValue;
}

/** What a statement gave. */
export interface StatementResult {
  readonly rows: unknown[];
  readonly changes?: bigint;
  readonly insertId?: bigint;
}

/**
 * A connection to a SQLite file. Statements run in this thread and are quick; what may take long is waiting for another
 * process's lock, and that is done without blocking the thread.
 */
export class SqliteConnection {
  readonly #file: DatabaseSync;
  readonly #statements = new LRUCache<string, StatementSync>({ max: maxStatements });

  constructor(file: DatabaseSync) {
    this.#file = file;
  }

  /** @throws the error of SQLite; when the file stayed locked for twenty seconds, that one */
  async run(text: string, values: readonly unknown[]): Promise<StatementResult> {
    const end = performance.now() + busyLimitMs;
    for (;;) {
      try {
        return this.#runNow(text, values);
      } catch (error) {
        if (!isBusy(error) || performance.now() > end) throw error;
        await pause(busyPauseMs * (1 + Math.random()));
      }
    }
  }

  close(): void {
    this.#statements.clear();
    this.#file.close();
  }

  #runNow(text: string, values: readonly unknown[]): StatementResult {
    const statement = this.#statements.get(text) ?? this.#file.prepare(text);
    this.#statements.set(text, statement);
    const inputs = values.map(toInput);
    if (statement.columns().length > 0) return { rows: statement.all(...inputs) };
    const { changes, lastInsertRowid } = statement.run(...inputs);
    return { rows: [], changes: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }
}
