import { z } from 'zod';
import type { PageResponse } from '../http/responses/response.ts';

/** The header before the two compressed representations of a page. */
const factsSchema = z.object({
  /** End of its freshness, in ms since the epoch. */
  until: z.number(),
  tag: z.string(),
  brBytes: z.number(),
});

/** A page in its sent form, as one text to store elsewhere. */
export function packPage({ status, headers, encoded }: PageResponse, until: number): PageResponse {
  if (encoded === undefined) throw new TypeError('Only a prepared page can be packed');
  const { br, gzip, tag } = encoded;
  const facts = JSON.stringify({ until, tag, brBytes: br.length } satisfies z.output<typeof factsSchema>);
  return { status, headers, body: Buffer.concat([Buffer.from(`${facts}\n`), br, gzip]) };
}

/** Unpacks a page. @throws for any other text */
export function unpackPage({ status, headers, body }: PageResponse): {
  response: PageResponse;
  until: number;
} {
  const end = body.indexOf('\n');
  const { until, tag, brBytes } = factsSchema.parse(JSON.parse(body.toString('utf8', 0, end)));
  const forms = body.subarray(end + 1);
  const encoded = { tag, br: forms.subarray(0, brBytes), gzip: forms.subarray(brBytes) };
  return { response: { status, headers, body: Buffer.alloc(0), encoded }, until };
}
