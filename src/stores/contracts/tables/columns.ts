/** How a value is stored: column and representation. Methods, so that columns of any type fit {@link Columns}. */
interface Column<Name extends string, Value, Stored> {
  readonly column: Name;
  write(value: Value): Stored;
  read(stored: Stored): Value;
}

/** Columns by the names that their values have in the product. */
type Columns = Readonly<Record<string, Column<string, unknown, unknown>>>;

/** The values read from columns. */
export type ValuesOf<C extends Columns> = { readonly [Field in keyof C]: ReturnType<C[Field]['read']> };

/** The values as both engines store and return them. */
export type RowOf<C extends Columns> = {
  [Field in keyof C as C[Field]['column']]: ReturnType<C[Field]['write']>;
};

const same = <T>(value: T): T => value;

/** Text as it is. */
export const text = <Name extends string>(column: Name): Column<Name, string, string> => ({
  column,
  write: same,
  read: same,
});

/** A number as it is. */
export const number = <Name extends string>(column: Name): Column<Name, number, number> => ({
  column,
  write: same,
  read: same,
});

/** 0 or 1. */
export const flag = <Name extends string>(column: Name): Column<Name, boolean, number> => ({
  column,
  write: (value) => (value ? 1 : 0),
  read: (stored) => stored === 1,
});

/** JSON as text. */
export const json = <Name extends string, Value>(column: Name): Column<Name, Value, string> => ({
  column,
  write: (value) => JSON.stringify(value),
  read: (stored) => JSON.parse(stored) as Value,
});

/** JSON as text, or null. */
export const jsonOrNull = <Name extends string, Value>(
  column: Name,
): Column<Name, Value | null, string | null> => ({
  column,
  write: (value) => (value === null ? null : JSON.stringify(value)),
  read: (stored) => (stored === null ? null : (JSON.parse(stored) as Value)),
});

/** The names of columns, for a query. */
export function namesOf<C extends Columns>(columns: C): C[keyof C]['column'][] {
  return Object.values(columns).map(({ column }): string => column) as C[keyof C]['column'][];
}

/** The values of a row. */
export function readRow<C extends Columns>(columns: C, row: RowOf<C>): ValuesOf<C> {
  const stored = row as Readonly<Record<string, unknown>>;
  const values = Object.entries(columns).map(([field, one]) => [field, one.read(stored[one.column])]);
  return Object.fromEntries(values) as ValuesOf<C>;
}

/** Converts values to a row; other properties are dropped. */
export function writeRow<C extends Columns>(columns: C, values: ValuesOf<C>): RowOf<C> {
  const row = Object.entries(columns).map(([field, one]) => [one.column, one.write(values[field])]);
  return Object.fromEntries(row) as RowOf<C>;
}
