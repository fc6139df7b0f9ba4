import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { asFailure, Failure, type FailureKey } from '../../downloader/failures.ts';
import { addressOf, type RecognisedLinks, recogniseLinks } from '../../downloader/links/recognise.ts';
import type { KnownSound } from '../../downloader/options/options.ts';
import type { Post } from '../../downloader/posts/post.ts';
import type { OptionFormat, ResolveAnswer } from '../../site/api.ts';
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
 * @param formats what the page offers; null for everything
 * @throws Failure
 */
export async function resolveFor(
  { resolver, soundPresence, tickets, limits }: ResolverParts,
  text: string,
  visitor: Visitor,
  formats: readonly OptionFormat[] | null,
  signal: AbortSignal,
): Promise<ResolveAnswer> {
  await limits.resolve(visitor);
  const { link, other } = linksOf(text);
  try {
    const post = await resolver.resolveText(text, signal, { asker: visitor.block });
    const sound = await soundPresence(post, signal);
    const result = resolveResult(post, sound, formats, tickets);
    // A page for sound alone has nothing to show for a silent video: that is an answer of its own.
    if (result.options.length === 0) throw new Failure(whyNothing(post, sound));
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
      ? new Failure('request_too_large', { cause: thrown })
      : thrown;
  }
}

/** Why a post has nothing in the formats of a page. */
function whyNothing({ kind }: Post, { formats, isUnsupported }: KnownSound): FailureKey {
  // The page offers mp3 alone, and of this sound only an m4a can be had.
  if (isUnsupported || (kind === 'video' && formats.length > 0)) return 'sound_unsupported';
  return kind === 'video' ? 'sound_missing' : 'option_missing';
}

/** `POST /api/resolve` */
export function resolveEndpoint(app: FastifyInstance, parts: ServerParts): void {
  app.post('/api/resolve', { bodyLimit: maxBodyBytes }, async (request, reply) => {
    const body = bodySchema.safeParse(request.body);
    if (!body.success)
      throw new Failure('request_invalid', { cause: body.error, note: 'body is not { "url": string }' });
    try {
      const answer = await resolveFor(parts, body.data.url, request.visitor, null, request.gone);
      return await reply.header('cache-control', 'no-store').send(answer);
    } catch (thrown) {
      throw asFailure(thrown);
    }
  });
}
