import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Facts that a SQLite file states about itself. */
export interface SqliteFacts {
  readonly version: string;
  /** `ok`, or the first thing that is wrong. */
  readonly integrity: string;
  /** Steps of the schema that it has. */
  readonly applied: readonly string[];
}

const file = new DatabaseSync(String(workerData), { readOnly: true, timeout: 5000 });
const first = (statement: string): unknown => Object.values(file.prepare(statement).get() ?? {})[0];
let facts: SqliteFacts;
try {
  const integrity = String(first('pragma quick_check(1)'));
  const hasSteps = first("select 1 from sqlite_schema where name = 'migrations'") !== undefined;
  const steps = integrity === 'ok' && hasSteps ? file.prepare('select name from migrations').all() : [];
  facts = {
    version: String(first('select sqlite_version()')),
    integrity,
    applied: steps.map(({ name }) => String(name)),
  };
} catch (error) {
  facts = { version: '', integrity: (error as Error).message, applied: [] };
}
file.close();
parentPort?.postMessage(facts);
