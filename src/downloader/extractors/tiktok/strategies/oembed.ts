import { z } from 'zod';
import { Failure } from '../../../../failures/failures.ts';
import type { PostReference } from '../../../post/post.ts';
import type { UncertainRefusal } from '../../extractor.ts';
import type { Explainer } from '../../strategy-chain.ts';
import { UnreadableResponse } from '../../unreadable.ts';
import { askBest } from '../identities/ask-through.ts';
import type { Door } from '../identities/doors.ts';
import { text } from '../post/schemas.ts';
import { checkStatus, gateByBody } from '../responses/gates.ts';
import { parseJson } from '../responses/json.ts';
import { requestThrough, type StrategyOptions } from './one-request.ts';

const responseSchema = z.object({ title: text, html: text, author_name: text, embed_product_id: text });

/**
 * Distinguishes a deleted post from one that is withheld from us: oEmbed still answers for the second. It contains no
 * media, so it is never a strategy.
 */
export function oembedExplainer(options: Omit<StrategyOptions, 'now'>): Explainer {
  const { network } = options;
  return {
    name: 'oembed',
    limitMs: 2_000,
    async explain(reference, refusal, signal) {
      if (refusal.key !== 'post_gone') return refusal;
      return askBest(options, reference.egress, (door) => ask(reference, refusal, door, signal));
    },
  };

  async function ask(
    reference: PostReference,
    refusal: UncertainRefusal,
    door: Door,
    signal: AbortSignal,
  ): Promise<Failure> {
    const address = `https://www.tiktok.com/@i/video/${reference.id}`;
    const response = await requestThrough(network, door, 'script', {
      url: `https://www.tiktok.com/oembed?url=${encodeURIComponent(address)}`,
      ...{ maxBytes: 200_000, egress: reference.egress, signal },
    });
    if (response.status === 400) return refusal;
    checkStatus(response);
    const body = response.body.toString();
    if (!body.trimStart().startsWith('{')) throw gateByBody(response.body);
    const answer = responseSchema.safeParse(parseJson(body));
    const product = answer.data?.embed_product_id ?? '';
    const about = product === '' || product === reference.id;
    const exists = about && (answer.data?.html || answer.data?.title || answer.data?.author_name) !== '';
    if (!answer.success || !exists) {
      throw new UnreadableResponse('answer', { note: 'oEmbed without a post' });
    }
    return new Failure('post_region_blocked', { note: 'withheld: oEmbed still knows it', cause: refusal });
  }
}
