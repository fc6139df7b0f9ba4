const written = /(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?/;
const [earliest, latest] = [Date.UTC(2010), Date.UTC(2100)];

/**
 * The moment that a value names: `2024-03-01 12:34:56` in UTC, as exports have it, or seconds or milliseconds since the
 * epoch.
 * @returns ms since the epoch; null for none
 */
export function readDate(value: unknown): number | null {
  const ms = typeof value === 'number' ? fromNumber(value) : typeof value === 'string' ? fromText(value) : 0;
  return ms >= earliest && ms < latest ? ms : null;
}

const fromNumber = (value: number) => (value < 1e11 ? value * 1000 : value);

function fromText(text: string): number {
  if (/^\d{10,13}$/.test(text)) return fromNumber(Number(text));
  const [, day, time = '00:00'] = written.exec(text) ?? [];
  return Date.parse(`${day}T${time}Z`);
}

/** The same for `2024-03-01 12:34:56` in bytes, without the text; null for any other form. */
export function readPlainDate(bytes: Uint8Array, from: number, to: number): number | null {
  if (to - from < 19 || bytes[from + 4] !== 0x2d || bytes[from + 10] !== 0x20 || bytes[from + 13] !== 0x3a)
    return null;
  const number = (at: number) =>
    ((bytes[from + at] as number) - 48) * 10 + (bytes[from + at + 1] as number) - 48;
  const year = number(0) * 100 + number(2);
  const ms = Date.UTC(year, number(5) - 1, number(8), number(11), number(14), number(17));
  return ms >= earliest && ms < latest ? ms : null;
}
