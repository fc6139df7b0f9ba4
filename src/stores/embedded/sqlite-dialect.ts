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
import { DatabaseUnavailable } from '../contracts/database.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

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

/** Lets Kysely speak to Node's own SQLite: no add-on has to be compiled. */
export function createSqliteDialect(reader: SqliteConnection, writer: SqliteConnection): Dialect {
  return {
    createDriver: () => new SqliteDriver(reader, writer) as Driver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new RoutedAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
  };
}
