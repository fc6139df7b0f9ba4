import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { PostReference } from '../../../downloader/post/post.ts';
import type { PostResolverOptions } from '../../../downloader/posts/resolver.ts';
import type { MakeRateCounters, RateCounters } from '../../../stores/contracts/rate-counters.ts';
import type { Tally } from '../../../stores/tally/tally.ts';
import { isSameOrigin } from '../visitor/fetch-metadata.ts';
import type { Visitor } from '../visitor/visitor.ts';
import { blockFactor } from './visitor-limits.ts';

const hourS = 3600;
/** Times an hour that a visitor counts for each kind of event; its block counts eight times as often. */
const timesOfVisitor = 10;
/**
 * Failures of one address block that count beyond those of all others: a network with eighty odd posts decides nothing
 * where others have none.
 */
const failuresAhead = 3;
/** Address blocks of an hour that are remembered for it. */
const mostBlocks = 10_000;
/** No limit for what all visitors do together. */
const unlimited = Number.MAX_SAFE_INTEGER;

/** A request that may count. */
interface CountedRequest {
  readonly visitor: Visitor;
  readonly headers: IncomingHttpHeaders;
  /** The post that the visitor has chosen; null for none. */
  readonly askedPost: PostReference | null;
}

/**
 * Why an event does not count: another site has sent it, its post is taken down, its visitor or address block counted
 * often enough within the hour, its post failed before within the hour, or most failures are its address block's.
 */
type LeftOut = 'other_site' | 'withheld' | 'network' | 'post' | 'share';

/**
 * Tells whether an event counts in sums that others see or that raise alarms. Whoever sends requests chooses how many,
 * from where, and for which posts, and must decide nothing alone.
 * @param kind a word of a closed list, each with counts of its own
 */
export type WhoCounts = (
  kind: string,
  request: CountedRequest,
  outcome?: 'succeeded' | 'failed',
) => Promise<boolean>;

interface WhoCountsOptions {
  readonly makeCounters: MakeRateCounters;
  readonly isWithheld: NonNullable<PostResolverOptions['isWithheld']>;
  readonly tally: Tally;
}

/** The failures of an hour by address block, of this instance. */
function createShares() {
  const hourMs = hourS * 1000;
  const ofBlocks = new LRUCache<string, number>({ max: mostBlocks });
  let hour = 0;
  let all = 0;
  return {
    isAhead(block: string): boolean {
      const current = Math.floor(performance.now() / hourMs);
      if (current !== hour) {
        [hour, all] = [current, 0];
        ofBlocks.clear();
      }
      const own = ofBlocks.get(block) ?? 0;
      return own - (all - own) >= failuresAhead;
    },
    add(block: string): void {
      all += 1;
      ofBlocks.set(block, (ofBlocks.get(block) ?? 0) + 1);
    },
  };
}

/** How often one kind of event counts. */
function createRules(kind: string, makeCounters: MakeRateCounters) {
  const make = (rule: string, visitor: number, block: number): RateCounters =>
    makeCounters(`counts-${kind}-${rule}`, { visitor, block }, hourS);
  const network = make('network', timesOfVisitor, timesOfVisitor * blockFactor);
  const post = make('post', 1, unlimited);
  const shares = createShares();

  return async ({ visitor, askedPost }: CountedRequest, isFailure: boolean): Promise<LeftOut | null> => {
    if ((await network.spend(visitor)) > 0) return 'network';
    if (!isFailure) return null;
    const asked = askedPost === null ? null : { key: `${askedPost.platform}/${askedPost.id}`, block: '' };
    if (asked !== null && (await post.look(asked)) > 0) return 'post';
    if (shares.isAhead(visitor.block)) return 'share';
    if (asked !== null && (await post.spend(asked)) > 0) return 'post';
    shares.add(visitor.block);
    return null;
  };
}

/** Makes what every counter asks. Instances that share counters count together. */
export function createWhoCounts({ makeCounters, isWithheld, tally }: WhoCountsOptions): WhoCounts {
  const rules = new Map<string, ReturnType<typeof createRules>>();

  async function reasonFor(
    kind: string,
    request: CountedRequest,
    isFailure: boolean,
  ): Promise<LeftOut | null> {
    const { headers, askedPost } = request;
    if (!isSameOrigin(headers)) return 'other_site';
    if (askedPost !== null && isWithheld({ platform: askedPost.platform, id: askedPost.id, handle: null }))
      return 'withheld';
    const own = rules.get(kind) ?? createRules(kind, makeCounters);
    rules.set(kind, own);
    return own(request, isFailure);
  }

  return async (kind, request, outcome = 'succeeded') => {
    const reason = await reasonFor(`${kind}-${outcome}`, request, outcome === 'failed');
    tally.add(reason === null ? 'outcome' : 'uncounted', kind, reason ?? outcome);
    return reason === null;
  };
}
