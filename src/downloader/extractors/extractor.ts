import { Failure } from '../../failures/failures.ts';
import type { LinkTable } from '../links/link-table.ts';
import type { ListReference, PlatformName, Post, PostList, PostReference, ShortLink } from '../post/post.ts';
import type { MatrixRow } from './matrix.ts';

/** The requests that are left for one post, whichever egresses they use. */
export interface RequestBudget {
  left: number;
}

/** One method to read a post from its platform. Keeps no state that a later call relies on. */
export interface Strategy {
  readonly name: string;
  /** Time after which the next strategy gets its chance. */
  readonly limitMs: number;
  /**
   * @throws Failure `platform_…` when this strategy did not work, another key when the platform refused the post, and
   *   {@link UncertainRefusal} when it refused but another strategy may get a different answer
   */
  read(reference: PostReference, signal: AbortSignal, budget?: RequestBudget): Promise<Post>;
}

/** A refusal that the platform gives for several reasons, or only to some of its callers. */
export class UncertainRefusal extends Failure {}

/** "Nothing here", said without a reason by those who say the same of deleted, private and withheld posts. */
export class VagueRefusal extends UncertainRefusal {}

export interface StrategyState {
  /** Begins with its platform: `tiktok/page`. */
  readonly name: string;
  readonly state: 'closed' | 'open' | 'half-open';
  /** Whether it reads posts; one that does not explains refusals. */
  readonly reads: boolean;
  /** Answers since the start: posts, and refusals about the post. */
  readonly successes: number;
  readonly failures: number;
}

/** The record of one identity and HTTP version with one strategy. */
export interface AgentState {
  /** The strategy's name, as in {@link StrategyState}. */
  readonly strategy: string;
  readonly identity: string;
  readonly agent: string;
  readonly http: '1.1' | '2';
  /** Answers since the start that were meant for its like, and those that turned it away. */
  readonly answered: number;
  readonly refused: number;
  /** It was turned away lately, and others are taken before it. */
  readonly resting: boolean;
}

/** An identity's cookies on an egress as an operator sees them: never their values. */
export interface JarState {
  readonly egress: string | undefined;
  readonly identity: string;
  readonly cookies: number;
  /** Seconds since its first cookie. */
  readonly ageS: number;
}

/** Reads the posts of one platform. */
export interface Extractor {
  readonly platform: PlatformName;
  /** The shapes of the platform's addresses and ids. */
  readonly links: LinkTable;
  /** Tried in this order; each uses the egress that the reference names. */
  readonly strategies: readonly Strategy[];
  /** Asks the platform which post a short link means. @throws Failure `short_link_dead`, `link_…`, `platform_…` */
  locate(link: ShortLink, signal: AbortSignal): Promise<PostReference>;
  /**
   * Reads the posts of a list, as far as anyone may see them.
   * @throws Failure `link_…` for a list without posts, `account_private`, `platform_…`
   */
  list(list: ListReference, signal: AbortSignal): Promise<PostList>;
  /**
   * Reads a post by the first strategy that works.
   * @param requester the visitor's network, hashed, so that failures of one network do not count as everybody's
   * @throws Failure `post_…`, `account_private`, `platform_…`
   */
  read(reference: PostReference, signal: AbortSignal, requester?: string): Promise<Post>;
  /**
   * Tries strategies that are due (open, in doubt, or not asked for a while) with a post that was read, without a visitor.
   * @param usual read while no other post is known; null for none
   * @param idleMs one that was not asked for so long is due
   * @throws only the signal's reason
   */
  tryWhenDue(usual: PostReference | null, idleMs: number, signal: AbortSignal): Promise<void>;
  /** For the metrics. */
  states(): readonly StrategyState[];
  /** For the metrics. */
  agents(): readonly AgentState[];
  /** For the metrics and the desk. */
  jars(): readonly JarState[];
  /** Asks for a post's page in every manner that there is, by the reference's egress. @throws the signal's reason */
  matrix(reference: PostReference, signal: AbortSignal): AsyncIterable<MatrixRow>;
}
