const isPlain = (value: unknown): value is Record<string, unknown> =>
  Object(value) === value && !Array.isArray(value);

const isNothing = (value: unknown): boolean =>
  // Also the texts of null and undefined, and an empty list or object.
  ['', 'null', 'undefined'].includes(String(value)) || JSON.stringify(value) === '{}';

/** Removes empty values from a report: empty texts, null, and the word "undefined". */
export function strip(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const values = Object.entries(data).map(([key, value]): [string, unknown] => [
    key,
    isPlain(value) ? strip(value) : value,
  ]);
  return Object.fromEntries(values.filter(([, value]) => !isNothing(value)));
}
