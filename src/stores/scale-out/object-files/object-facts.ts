import { z } from 'zod';
import type { StoredFacts } from '../../contracts/file-store.ts';
import type { ObjectDescription, ObjectFacts } from '../../contracts/object-store.ts';

const schema = z.object({
  length: z.coerce.number().int().nonnegative(),
  etag: z.string().regex(/^[\x21\x23-\x7e]{1,100}$/),
  'made-at': z.coerce.number(),
});

/** Describes the object of a file. The length is included, so that a truncated object is not accepted. */
export function describeFile({ length, etag, madeAt }: StoredFacts): ObjectDescription {
  return {
    contentType: 'application/octet-stream',
    metadata: { length: String(length), etag: etag.slice(1, -1), 'made-at': String(madeAt) },
  };
}

/** The facts of a file; null when the object is not a whole file of ours. */
export function fileFactsOf(object: ObjectFacts): StoredFacts | null {
  const { data } = schema.safeParse(object.metadata);
  if (data === undefined || data.length !== object.length) return null;
  return { length: data.length, etag: `"${data.etag}"`, madeAt: data['made-at'] };
}
