import type { PlatformNetwork, TextRequest, TextResponse } from '../../../network/contracts.ts';
import type { PostReference } from '../../../post/post.ts';
import type { Strategy } from '../../extractor.ts';
import { askBest, type StrategyDoors } from '../identities/ask-through.ts';
import type { Door } from '../identities/doors.ts';
import { composePost, type PostParts } from '../post/compose-post.ts';
import { checkStatus } from '../responses/gates.ts';

/** The dependencies of a strategy that uses the network. */
export interface StrategyOptions extends StrategyDoors {
  readonly network: Pick<PlatformNetwork, 'fetchText'>;
  /** ms since the epoch */
  readonly now: () => number;
}

/**
 * Asks the platform through a door; without cookies, and without following redirects, where `request` does not say so.
 * @param by whether a browser opens the address, or a script of the platform's pages requests it
 */
export const requestThrough = (
  network: Pick<PlatformNetwork, 'fetchText'>,
  { identity, http }: Door,
  by: 'navigation' | 'script',
  request: Pick<TextRequest, 'url' | 'maxBytes' | 'egress' | 'signal'> & Partial<TextRequest>,
): Promise<TextResponse> =>
  network.fetchText({ hosts: 'tiktok/page', headers: identity[by], http, maxRedirects: 0, ...request });

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
      askBest(options, reference.egress, async (door) => {
        const { identity } = door;
        const { id, egress } = reference;
        const referer = refererOf && 'referer' in identity.script && { referer: refererOf(id) };
        const response = await requestThrough(network, door, by, {
          url: addressOf(id),
          headers: { ...identity[by], ...referer },
          ...{ maxBytes, egress, signal },
        });
        checkStatus(response);
        const session = { userAgent: identity.userAgent, cookie: null };
        return composePost(read(response, id), { reference, session, nowMs: now(), readBy: name });
      }),
  };
}
