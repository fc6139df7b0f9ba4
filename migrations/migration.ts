import type { Kysely } from 'kysely';

export type Engine = 'sqlite' | 'postgresql';

/** One step of the schema. It is frozen once it is released, and imports nothing of the product. */
export interface Migration {
  /** Order of application, and what the database remembers it by. */
  readonly name: string;
  /** Runs in one transaction together with all others that are due. */
  up(database: Kysely<unknown>, engine: Engine): Promise<void>;
}
