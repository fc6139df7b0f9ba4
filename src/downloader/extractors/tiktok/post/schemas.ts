import { z } from 'zod';

/** Types of JSON values. */
export type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** The types that a reader expects; any value may be missing or null, too. */
export const expectedTypes = z.registry<readonly JsonType[]>();

/**
 * Tolerant readers: a field may be a number on one route and a string on another, and any may be missing. An unreadable
 * value becomes null or empty, so that one odd field never costs a whole post.
 */
export const amount = z
  .unknown()
  .optional()
  .transform((value): number | null => {
    const number = typeof value === 'string' && /^\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && number >= 0 && number <= Number.MAX_SAFE_INTEGER ? number : null;
  })
  .register(expectedTypes, ['number', 'string']);

export const text = z
  .unknown()
  .optional()
  .transform((value): string => (typeof value === 'string' ? value : ''))
  .register(expectedTypes, ['string']);

/** Ids exceed 2^53: a number has already lost digits, so only text counts. */
export const id = z
  .unknown()
  .optional()
  .transform((value): string => (typeof value === 'string' && /^\d{1,20}$/.test(value) ? value : ''))
  .register(expectedTypes, ['string']);

export const flag = z
  .unknown()
  .optional()
  .transform((value): boolean => value === true || value === 1)
  .register(expectedTypes, ['boolean', 'number']);

/** An object with these fields; null for anything else, so that one odd part does not spoil the whole answer. */
export function shape<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object(fields).nullable().catch(null).register(expectedTypes, ['object']);
}

/** The valid entries among the first `max`; empty when the value is not a list. */
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
    })
    .register(expectedTypes, ['array']);
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
  )
  .register(expectedTypes, ['string', 'array']);

/** More fields than any object of the platform has. */
const maxFields = 200;

/** The name of a field in every spelling: `GearName`, `gearName` and `gear_name` are the same. */
export const plainName = (name: string) => name.replaceAll('_', '').toLowerCase();

/**
 * Accepts fields in every spelling ({@link plainName}).
 * @param aliases entirely different names, by the page's own
 */
export function anyCase<Fields extends z.ZodRawShape>(
  fields: Fields,
  aliases: Readonly<Record<string, string>> = {},
) {
  const names = new Map(Object.keys(fields).map((name) => [plainName(name), name]));
  return z.preprocess((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const found: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value).slice(0, maxFields)) {
      const name = key in fields ? key : (aliases[key] ?? names.get(plainName(key)));
      if (name !== undefined && (key === name || found[name] === undefined)) found[name] = inner;
    }
    return found;
  }, z.object(fields));
}

/** As {@link shape}, with fields in every spelling. */
export function anyShape<Fields extends z.ZodRawShape>(
  fields: Fields,
  aliases?: Readonly<Record<string, string>>,
) {
  return anyCase(fields, aliases).nullable().catch(null).register(expectedTypes, ['object']);
}
