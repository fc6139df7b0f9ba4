import { z } from 'zod';
import type { PageAnswer } from '../http/answers/answer.ts';

/** What stands before the two compressed forms of a page. */
const factsSchema = z.object({
  /** Until when the page may be shown, in ms since the epoch. */
  until: z.number(),
  tag: z.string(),
  brBytes: z.number(),
});

/** A page in the form in which it is sent, as one text to keep elsewhere. */
export function packPage({ status, headers, encoded }: PageAnswer, until: number): PageAnswer {
  if (encoded === undefined) throw new TypeError('Only a prepared page can be packed');
  const { br, gzip, tag } = encoded;
  const facts = JSON.stringify({ until, tag, brBytes: br.length } satisfies z.output<typeof factsSchema>);
  return { status, headers, body: Buffer.concat([Buffer.from(`${facts}\n`), br, gzip]) };
}

/** The page again. @throws when it is none */
export function unpackPage({ status, headers, body }: PageAnswer): { answer: PageAnswer; until: number } {
  const end = body.indexOf('\n');
  const { until, tag, brBytes } = factsSchema.parse(JSON.parse(body.toString('utf8', 0, end)));
  const forms = body.subarray(end + 1);
  const encoded = { tag, br: forms.subarray(0, brBytes), gzip: forms.subarray(brBytes) };
  return { answer: { status, headers, body: Buffer.alloc(0), encoded }, until };
}
