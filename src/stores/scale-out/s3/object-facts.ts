import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { StoredFacts } from '../../contracts/file-store.ts';

const schema = z.object({
  'x-amz-meta-length': z.coerce.number().int().nonnegative(),
  'x-amz-meta-etag': z.string().regex(/^[\x21\x23-\x7e]{1,100}$/),
  'x-amz-meta-made-at': z.coerce.number(),
});

/** What an object says of the file that it is. The length too: an object that was cut off by somebody is none of ours. */
export function headersOf({ length, etag, madeAt }: StoredFacts): Record<string, string> {
  return {
    'content-type': 'application/octet-stream',
    'x-amz-meta-length': String(length),
    'x-amz-meta-etag': etag.slice(1, -1),
    'x-amz-meta-made-at': String(madeAt),
  };
}

/** The facts of an object; null when it is not a whole file of ours. */
export function factsOf(headers: IncomingHttpHeaders): StoredFacts | null {
  const parsed = schema.safeParse(headers);
  if (!parsed.success) return null;
  const { 'x-amz-meta-length': length, 'x-amz-meta-etag': etag, 'x-amz-meta-made-at': madeAt } = parsed.data;
  return Number(headers['content-length']) === length ? { length, etag: `"${etag}"`, madeAt } : null;
}
