import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
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
interface StatementResult {
  readonly rows: unknown[];
  readonly changes?: bigint;
  readonly insertId?: bigint;
}

/**
 * A connection to a SQLite file. Statements run in this thread and are quick; waiting for another process's lock may
 * take long and does not block the thread.
 */
class SqliteConnection {
  readonly #file: DatabaseSync;
  readonly #statements = new LRUCache<string, StatementSync>({ max: maxStatements });
  readonly #patienceMs: number;

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

/** The write lock: SQLite has one writer, and writers of one process queue here, in order. */
class WriterLock {
  #last: Promise<void> = Promise.resolve();

  /**
   * @param deadline on the clock of `performance`
   * @returns a function that releases it
   * @throws DatabaseUnavailable when the lock was not free by then
   */
  async take(deadline: number): Promise<() => void> {
    const { promise, resolve: passOn } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    if (!(await isInTime(before, deadline))) {
      void before.then(passOn);
      throw new DatabaseUnavailable(new Error('others have been writing for too long'));
    }
    return passOn;
  }
}

/** Whether something comes about before a time on the clock of `performance`. */
function isInTime(event: Promise<void>, deadline: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, deadline - performance.now(), false);
  void event.then(() => resolve(true));
  return promise.finally(() => clearTimeout(timer));
}

interface Files {
  readonly reader: SqliteConnection;
  readonly writer: SqliteConnection;
  readonly lock: WriterLock;
}

/** Reads use a separate connection, so that they do not wait for a transaction. */
class RoutedConnection implements DatabaseConnection {
  readonly #files: Files;
  #passOn: (() => void) | null = null;

  constructor(files: Files) {
    this.#files = files;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { reader, writer } = this.#files;
    if (this.#passOn !== null) return toResult(await writer.run(sql, parameters));
    if (/^\s*(select|explain)\b/i.test(sql)) return toResult(await reader.run(sql, parameters));
    const deadline = writer.deadline();
    const passOn = await this.#files.lock.take(deadline);
    try {
      return toResult(await writer.run(sql, parameters, deadline));
    } finally {
      passOn();
    }
  }

  // biome-ignore lint/correctness/useYield: an open statement would keep the log of writes from being cleared
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Read in parts by key instead: streams of rows are not offered');
  }

  async begin(): Promise<void> {
    const { writer, lock } = this.#files;
    const deadline = writer.deadline();
    const passOn = await lock.take(deadline);
    try {
      // Taken immediately: SQLite may refuse a lock that is requested after reading.
      await writer.run('begin immediate', [], deadline);
    } catch (error) {
      passOn();
      throw error;
    }
    this.#passOn = passOn;
  }

  /** When it fails, the rollback follows. */
  async commit(): Promise<void> {
    await this.#files.writer.run('commit', []);
    this.release();
  }

  async rollback(): Promise<void> {
    const { writer } = this.#files;
    try {
      // After an automatic rollback a second one would raise an error that hides the cause.
      if (writer.isTransaction) await writer.run('rollback', []);
    } finally {
      this.release();
    }
  }

  release(): void {
    this.#passOn?.();
    this.#passOn = null;
  }
}

function toResult<R>(result: { rows: unknown[]; changes?: bigint; insertId?: bigint }): QueryResult<R> {
  const { rows, changes, insertId } = result;
  return {
    rows: rows as R[],
    ...(changes !== undefined && { numAffectedRows: changes }),
    ...(insertId !== undefined && { insertId }),
  };
}

class SqliteDriver implements Driver {
  readonly #files: Files;

  constructor(reader: SqliteConnection, writer: SqliteConnection) {
    this.#files = { reader, writer, lock: new WriterLock() };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<RoutedConnection> {
    return new RoutedConnection(this.#files);
  }

  async beginTransaction(connection: RoutedConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: RoutedConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: RoutedConnection): Promise<void> {
    await connection.rollback();
  }

  async releaseConnection(connection: RoutedConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    this.#files.reader.close();
    this.#files.writer.close();
  }
}

/** Kysely makes reads wait for a transaction to end; with two connections this is unnecessary. */
class RoutedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * Lets Kysely speak to Node's own SQLite: no add-on has to be compiled.
 * @param patienceMs how long a statement waits while another process has the lock
 */
export function createSqliteDialect(reader: DatabaseSync, writer: DatabaseSync, patienceMs: number): Dialect {
  const connect = (file: DatabaseSync) => new SqliteConnection(file, patienceMs);
  return {
    createDriver: () => new SqliteDriver(connect(reader), connect(writer)) as Driver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new RoutedAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
  };
}
