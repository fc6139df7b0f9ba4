import type { TextResponse } from '../../../network/contracts.ts';
import type { PostReference } from '../../../posts/post.ts';
import type { Strategy } from '../../extractor.ts';
import { composePost, type PostParts } from '../post/compose-post.ts';
import { gateByStatus } from '../responses/gates.ts';
import type { StrategyOptions } from './strategy-options.ts';

interface OneRequest {
  readonly name: string;
  /** The request for a post. */
  readonly request: (id: string) => {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly maxBytes: number;
  /** Reads the response, which no gate has refused. @throws Failure */
  readonly read: (response: TextResponse, id: string) => PostParts;
}

/** A strategy whose single response, without cookies, has all that is read of a post. */
export function oneRequestStrategy(
  { network, agents, now }: StrategyOptions,
  { name, request, maxBytes, read }: OneRequest,
): Strategy {
  return {
    name,
    limitMs: 3_000,
    read: (reference: PostReference, signal) =>
      agents.use(reference.egress, async (userAgent) => {
        const { url, headers } = request(reference.id);
        const response = await network.fetchText({
          url,
          hosts: 'tiktok/page',
          headers: { 'user-agent': userAgent, 'accept-language': 'en-US,en;q=0.9', ...headers },
          maxBytes,
          maxRedirects: 0,
          egress: reference.egress,
          signal,
        });
        const gate = gateByStatus(response);
        if (gate !== null) throw gate;
        const session = { userAgent, cookie: null };
        return composePost(read(response, reference.id), { reference, session, nowMs: now(), readBy: name });
      }),
  };
}
