import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

const days = 366;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: number;
  /** Such texts are short, and here unique. */
  readonly indexed: number;
  /** The table that it refers to; null for none. */
  readonly refersTo: string | null;
}

/** Every column of every table, from the schema: a new table has rows without anybody's doing. */
const columnsOf = (file: DatabaseSync) =>
  file
    .prepare(`
      select t.name as "table", c.name, lower(c.type) as type, not (c."notnull" or c.pk) as nullable,
        c.pk or exists (
          select 1 from pragma_index_list(t.name) as i, pragma_index_info(i.name) as part
          where part.name = c.name) as indexed,
        (select k."table" from pragma_foreign_key_list(t.name) as k where k."from" = c.name) as refersTo
      from sqlite_schema as t, pragma_table_info(t.name) as c
      where t.type = 'table' and t.name not like 'sqlite!_%' escape '!'`)
    .all() as unknown as Column[];

const texts = [
  '',
  'İstanbul العربية 日本語 👩‍👩‍👧',
  '\'; drop table "articles" --',
  '\\N\t\\.\r\n\\x00',
  '{"a":["\\u0000",null]}',
];
const integers = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)];
const bigIntegers = [0, Date.UTC(2026, 10, 28), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
const fractions = [0, 0.1, -1 / 3, 5e-324, Number.MAX_VALUE];

const pick = <T>(all: readonly T[], n: number) => all[n % all.length] as T;

function valueIn({ table, name, type, nullable, indexed, refersTo }: Column, n: number): SQLInputValue {
  // A row may refer to one that comes later.
  const row = refersTo === table ? n + 1 : n;
  if (nullable && (n % 3 === 0 || row === days)) return null;
  // Numbers have gaps.
  if (type === 'integer' && (name === 'id' || refersTo !== null)) return 3 * row + 1;
  if (type === 'text')
    return indexed || refersTo !== null ? `${row} ${pick(texts, row)}` : longOr(pick(texts, n), n);
  if (type === 'integer') return pick(integers, n);
  if (type === 'bigint') return pick(bigIntegers, n);
  if (type === 'double precision') return pick(fractions, n);
  if (type === 'blob') return Uint8Array.from({ length: n === 1 ? 2 ** 22 : n }, (_, at) => at + n);
  throw new Error(`${table}.${name} is ${type}: say here what a value of it is`);
}

const longOr = (text: string, n: number) => (n === 1 ? '日'.repeat(170_000) : text);

/** Fills every table with a row for each day, or hour, of a year: values that a copy could lose. */
export function writeYear(file: DatabaseSync): void {
  file.exec('pragma foreign_keys = off; begin');
  for (const [table, columns] of Map.groupBy(columnsOf(file), (column) => column.table)) {
    // A database names the steps that it has taken.
    if (table === 'migrations') continue;
    file.exec(`delete from "${table}"`);
    const insert = file.prepare(
      `insert into "${table}" (${columns.map(({ name }) => `"${name}"`)}) values (${columns.map(() => '?')})`,
    );
    const rows = /^hourly_/.test(table) ? 24 * days : days;
    for (let n = 0; n < rows; n++) insert.run(...columns.map((column) => valueIn(column, n)));
  }
  file.exec('commit; pragma foreign_keys = on');
  const wrong = file.prepare('pragma foreign_key_check').all();
  if (wrong.length > 0) throw new Error(`Rows refer to nothing: ${JSON.stringify(wrong[0])}`);
}
