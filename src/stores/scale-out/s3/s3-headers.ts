import type { IncomingHttpHeaders } from 'node:http';
import type { ObjectDescription } from '../../contracts/object-store.ts';

const metadataPrefix = 'x-amz-meta-';

/** The headers that say what an object is. */
export function headersOf({ contentType, metadata = {} }: ObjectDescription): Record<string, string> {
  const own = Object.entries(metadata).map(([name, value]) => [metadataPrefix + name, value]);
  return { 'content-type': contentType, ...Object.fromEntries(own) };
}

/** The opposite: what an object was said to be. */
export const metadataOf = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(metadataPrefix) ? [[name.slice(metadataPrefix.length), String(value)]] : [],
    ),
  );

/**
 * Seconds since a time of the store's, 0 where that is no time. The present time is the store's, too, so that no clock of
 * ours decides what is old.
 */
export function ageOf(time: string | null, { date }: IncomingHttpHeaders): number {
  const age = (Date.parse(String(date)) - Date.parse(time ?? '')) / 1000;
  return Number.isFinite(age) ? age : 0;
}
