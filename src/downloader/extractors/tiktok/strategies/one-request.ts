import type { TextResponse } from '../../../network/contracts.ts';
import type { PostReference } from '../../../post/post.ts';
import type { Strategy } from '../../extractor.ts';
import { askBest } from '../identities/ask-through.ts';
import { composePost, type PostParts } from '../post/compose-post.ts';
import { gateByStatus } from '../responses/gates.ts';
import type { StrategyOptions } from './strategy-options.ts';

interface OneRequest {
  readonly name: string;
  readonly addressOf: (id: string) => string;
  /** Whether a browser opens the address, or a script of the platform's pages requests it. */
  readonly by: 'navigation' | 'script';
  readonly refererOf?: (id: string) => string;
  readonly maxBytes: number;
  /** Reads the response, which no gate has refused. @throws Failure */
  readonly read: (response: TextResponse, id: string) => PostParts;
}

/** A strategy whose single response, without cookies, has all that is read of a post. */
export function oneRequestStrategy(
  options: StrategyOptions,
  { name, addressOf, by, refererOf, maxBytes, read }: OneRequest,
): Strategy {
  const { network, now } = options;
  return {
    name,
    limitMs: 3_000,
    read: (reference: PostReference, signal) =>
      askBest(options, reference.egress, async ({ identity, http }) => {
        const { id, egress } = reference;
        const response = await network.fetchText({
          url: addressOf(id),
          hosts: 'tiktok/page',
          headers: {
            ...identity[by],
            ...(refererOf && 'referer' in identity.script && { referer: refererOf(id) }),
          },
          http,
          maxBytes,
          maxRedirects: 0,
          egress,
          signal,
        });
        const gate = gateByStatus(response);
        if (gate !== null) throw gate;
        const session = { userAgent: identity.userAgent, cookie: null };
        return composePost(read(response, id), { reference, session, nowMs: now(), readBy: name });
      }),
  };
}
