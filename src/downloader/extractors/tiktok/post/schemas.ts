import { z } from 'zod';

/**
 * Tolerant readers: the same field is a number on one route and a string on the next, and any may be missing. What
 * cannot be read is null or empty, so that one odd field never costs a whole post.
 */
export const amount = z
  .unknown()
  .optional()
  .transform((value): number | null => {
    const number = typeof value === 'string' && /^\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && number >= 0 && number <= Number.MAX_SAFE_INTEGER ? number : null;
  });

export const text = z
  .unknown()
  .optional()
  .transform((value): string => (typeof value === 'string' ? value : ''));

/** Ids exceed 2^53: a number has already lost digits, so only text counts. */
export const id = z
  .unknown()
  .optional()
  .transform((value): string => (typeof value === 'string' && /^\d{1,20}$/.test(value) ? value : ''));

export const flag = z
  .unknown()
  .optional()
  .transform((value): boolean => value === true || value === 1);

/** An object with these fields; null for anything else, so that one strange part does not spoil the whole answer. */
export function shape<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object(fields).nullable().catch(null);
}

/** The entries that are what they should be, of the first `max`; none when there is no list. */
export function list<Entry extends z.ZodType>(entry: Entry, max: number) {
  return z
    .unknown()
    .optional()
    .transform((value): z.output<Entry>[] => {
      if (!Array.isArray(value)) return [];
      return value.slice(0, max).flatMap((one) => {
        const parsed = entry.safeParse(one);
        return parsed.success ? [parsed.data] : [];
      });
    });
}

/** Addresses of the same bytes: a string, a list of strings, or (in old pages) a list of `{ src }`. */
export const addresses = z
  .unknown()
  .optional()
  .transform((value): string[] =>
    (Array.isArray(value) ? value.slice(0, 8) : [value]).flatMap((one) => {
      const address: unknown = typeof one === 'object' && one !== null ? (one as { src?: unknown }).src : one;
      return typeof address === 'string' && address !== '' ? [address] : [];
    }),
  );

/** More fields than any object of the platform has. */
const maxFields = 200;

/**
 * Fields under whichever spelling a route has for them: `GearName`, `gearName` and `gear_name` are one.
 * @param aliases names that are quite different, by the page's own
 */
export function anyCase<Fields extends z.ZodRawShape>(
  fields: Fields,
  aliases: Readonly<Record<string, string>> = {},
) {
  const plain = (name: string) => name.replaceAll('_', '').toLowerCase();
  const names = new Map(Object.keys(fields).map((name) => [plain(name), name]));
  return z.preprocess((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const found: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value).slice(0, maxFields)) {
      const name = key in fields ? key : (aliases[key] ?? names.get(plain(key)));
      if (name !== undefined && (key === name || found[name] === undefined)) found[name] = inner;
    }
    return found;
  }, z.object(fields));
}
