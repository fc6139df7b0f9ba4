import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { DatabaseUnavailable } from '../contracts/database.ts';

const busyPauseMs = 10;
const maxStatements = 300;

/** SQLite's result codes 5 and 6: another connection has the lock. Extended codes keep them in their low byte. */
function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && ((errcode & 0xff) === 5 || (errcode & 0xff) === 6);
}

function toInput(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === undefined) throw new TypeError('undefined is no value of a query');
  return value as SQLInputValue;
}

/** The result of a statement. */
export interface StatementResult {
  readonly rows: unknown[];
  readonly changes?: bigint;
  readonly insertId?: bigint;
}

/**
 * A connection to a SQLite file. Statements run in this thread and are quick; waiting for another process's lock may
 * take long and does not block the thread.
 */
export class SqliteConnection {
  readonly #file: DatabaseSync;
  readonly #statements = new LRUCache<string, StatementSync>({ max: maxStatements });
  readonly #patienceMs: number;

  /** @param patienceMs how long a statement waits while another process has the lock */
  constructor(file: DatabaseSync, patienceMs: number) {
    this.#file = file;
    this.#patienceMs = patienceMs;
  }

  /** When the present caller gives up, on the clock of `performance`. */
  deadline(): number {
    return performance.now() + this.#patienceMs;
  }

  /** Whether a transaction is open. SQLite ends it by itself after some errors, a full disk for one. */
  get isTransaction(): boolean {
    return this.#file.isTransaction;
  }

  /**
   * Runs a statement.
   * @param deadline of the wait for another process's lock
   * @throws the error of SQLite; DatabaseUnavailable when the file stayed locked
   */
  async run(text: string, values: readonly unknown[], deadline = this.deadline()): Promise<StatementResult> {
    for (;;) {
      try {
        return this.#runNow(text, values);
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (performance.now() > deadline) throw new DatabaseUnavailable(error);
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
