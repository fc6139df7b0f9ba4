import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { asFailure, Failure } from '../../downloader/failures.ts';
import { addressOf, type RecognisedLinks, recogniseLinks } from '../../downloader/links/recognise.ts';
import type { ResolveAnswer } from '../../site/api.ts';
import { resolveResult } from '../answers.ts';
import type { ServerParts } from '../parts.ts';
import type { Visitor } from '../visitor.ts';

const bodySchema = z.object({ url: z.string() });

/** What is looked at of a text; a link behind it is not found. */
const maxTextLength = 4_000;

/** Text of a share sheet with room to spare. */
const maxBodyBytes = 16 * 1024;

type ResolverParts = Pick<ServerParts, 'resolver' | 'soundPresence' | 'tickets' | 'limits'>;

/**
 * What a pasted text leads to, for the API and for the pages alike.
 * @throws Failure
 */
export async function resolveFor(
  { resolver, soundPresence, tickets, limits }: ResolverParts,
  text: string,
  visitor: Visitor,
  signal: AbortSignal,
): Promise<ResolveAnswer> {
  await limits.resolve(visitor);
  const { link, other } = linksOf(text);
  try {
    const post = await resolver.resolveText(text, signal, { asker: visitor.block });
    const result = resolveResult(post, await soundPresence(post, signal), tickets);
    if (result.options.length === 0) throw new Failure('option_missing');
    const isAnother = other !== null && !('id' in other && other.id === post.id);
    return { code: 200, result: isAnother ? { ...result, other_link: addressOf(other) } : result };
  } catch (thrown) {
    const { key, retryAfterS, hint } = asFailure(thrown);
    throw new Failure(key, {
      cause: thrown,
      link: addressOf(link),
      ...(retryAfterS !== undefined && { retryAfterS }),
      ...(hint !== undefined && { hint }),
      ...(other !== null && { otherLink: addressOf(other) }),
    });
  }
}

/** @throws Failure `link_…`, or `request_too_large` when a link may stand behind what is looked at */
function linksOf(text: string): RecognisedLinks {
  try {
    return recogniseLinks(text);
  } catch (thrown) {
    const isMissing = thrown instanceof Failure && thrown.key === 'link_missing';
    throw isMissing && text.length > maxTextLength
      ? new Failure('request_too_large', { cause: thrown, hint: 'no_link' })
      : thrown;
  }
}

/** `POST /api/resolve` */
export function resolveEndpoint(app: FastifyInstance, parts: ServerParts): void {
  app.post('/api/resolve', { bodyLimit: maxBodyBytes }, async (request, reply) => {
    const body = bodySchema.safeParse(request.body);
    if (!body.success)
      throw new Failure('request_invalid', { cause: body.error, note: 'body is not { "url": string }' });
    try {
      const answer = await resolveFor(parts, body.data.url, request.visitor, request.gone);
      return await reply.header('cache-control', 'no-store').send(answer);
    } catch (thrown) {
      throw asFailure(thrown);
    }
  });
}
