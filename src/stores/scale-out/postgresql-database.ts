import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from 'kysely';
import pg from 'pg';
import { type Database, DatabaseUnavailable, type Tables } from '../contracts/database.ts';

const maxConnections = 10;
/** Idle connections are closed after this, so that a busy hour does not hold the server's connections all day. */
const idleLimitMs = 30_000;
/** Minimum time for a query when connecting took nearly all of the limit. */
const leastQueryMs = 250;

/** Time limits of a database. */
interface Patience {
  /** For a connection: a free one or a new one. */
  readonly connectMs: number;
  /** For a response, including the wait for a connection; null for no limit. */
  readonly answerMs: number | null;
}

/** `int8`: times, counts and views, all far below 2^53; the driver gives text otherwise. */
const int8 = 20;

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')),
};

/** A connection in use. An error reported by the server leaves it usable; after any other error it is discarded. */
class Lease implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #answerMs: number | null;
  readonly #onBroken: () => void;
  /** Limit of the next query: the first one has less, by the time that connecting took. */
  #limitMs: number | null;
  #broken: DatabaseUnavailable | null = null;

  constructor(client: pg.PoolClient, answerMs: number | null, waitedMs: number, onBroken: () => void) {
    this.#client = client;
    this.#answerMs = answerMs;
    this.#limitMs = answerMs === null ? null : Math.max(leastQueryMs, answerMs - waitedMs);
    this.#onBroken = onBroken;
    client.on('error', this.#heard);
  }

  /** The pool listens to idle connections only, and an unhandled error event ends the process. */
  readonly #heard = (error: Error): void => {
    this.#broken ??= new DatabaseUnavailable(error);
  };

  /** The contract has a second form, for cursors, which are not used here. */
  readonly query = ((text: string, values: readonly unknown[] = []) =>
    this.#run(text, values)) as PostgresPoolClient['query'];

  async #run(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<unknown>> {
    // A rollback on a connection that fell silent would wait as long once more.
    if (this.#broken !== null) throw this.#broken;
    const limit = this.#limitMs === null ? {} : { query_timeout: this.#limitMs };
    this.#limitMs = this.#answerMs;
    try {
      const result = await this.#client.query({ text, values: [...values], ...limit });
      return result as unknown as PostgresQueryResult<unknown>;
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.severity !== 'FATAL') throw error;
      this.#broken ??= new DatabaseUnavailable(error);
      this.#onBroken();
      throw this.#broken;
    }
  }

  release(destroy = false): void {
    this.#client.release(this.#broken ?? destroy);
    this.#client.off('error', this.#heard);
  }
}

/**
 * A pool that drops all its connections as soon as one falls silent or breaks: the cause (a replaced server, a firewall
 * that lost its state) affects idle ones as well, and each would cost another visitor the same wait.
 * @param onError called for idle connections that broke
 */
export function createPostgresqlPool(
  url: string,
  { connectMs, answerMs }: Patience,
  onError: (error: Error) => void,
): PostgresPool {
  const options: pg.PoolConfig = {
    connectionString: url,
    types,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: idleLimitMs,
    keepAlive: true,
    application_name: 'clipferry',
    // So that the server stops working for a client that left.
    ...(answerMs !== null && { statement_timeout: answerMs }),
  };
  const open = () => new pg.Pool(options).on('error', onError);
  let current = open();

  function replace(broken: pg.Pool): void {
    if (current !== broken) return;
    current = open();
    broken.end().catch(onError);
  }

  return {
    options,
    async connect() {
      const from = current;
      const since = performance.now();
      try {
        const client = await from.connect();
        return new Lease(client, answerMs, performance.now() - since, () => replace(from));
      } catch (error) {
        throw error instanceof pg.DatabaseError ? error : new DatabaseUnavailable(error);
      }
    },
    end: () => current.end(),
  };
}

/** The database's settings besides its address. */
interface PostgresqlOptions {
  /** Called for idle connections that broke; the pool makes new ones. */
  readonly onError: (error: Error) => void;
  /** For visitors' responses; commands, imports and migrations have no limit. */
  readonly patience?: Patience;
}

const unhurried: Patience = { connectMs: 5000, answerMs: null };

/**
 * Opens a PostgreSQL database (12 or later).
 * @param url in libpq's form: `postgres://user:password@host:5432/database`
 * @throws Error when it is unreachable or refuses the log-in
 */
export async function openPostgresqlDatabase(
  url: string,
  { onError, patience = unhurried }: PostgresqlOptions,
): Promise<Database> {
  const pool = createPostgresqlPool(url, patience, onError);
  const query = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`select 1`.execute(query);
  } catch (error) {
    await query.destroy();
    throw error;
  }
  return { engine: 'postgresql', query, close: () => query.destroy() };
}
