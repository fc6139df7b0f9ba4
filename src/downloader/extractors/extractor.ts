import { Failure } from '../../failures/failures.ts';
import type { LinkTable } from '../links/link-table.ts';
import type { PlatformName, Post, PostReference, ShortLink } from '../posts/post.ts';

/** One way of reading a post from its platform. Keeps nothing between calls that a later call relies on. */
export interface Strategy {
  readonly name: string;
  /** Time after which the next strategy gets its chance. */
  readonly limitMs: number;
  /**
   * @throws Failure `platform_…` when this way did not work, another key when the platform refused the post, and
   *   {@link UncertainRefusal} when it refused but another way may know better
   */
  read(reference: PostReference, signal: AbortSignal): Promise<Post>;
}

/** A refusal that the platform gives for several reasons, or only to some of its callers. */
export class UncertainRefusal extends Failure {}

/** "Nothing here", said without a reason by those who say the same of deleted, private and withheld posts. */
export class VagueRefusal extends UncertainRefusal {}

export interface StrategyState {
  /** With its platform in front: `tiktok/page`. */
  readonly name: string;
  readonly state: 'closed' | 'open' | 'half-open';
  /** Answers since the start: posts, and refusals about the post. */
  readonly successes: number;
  readonly failures: number;
}

/** How one user-agent fares with one way. */
export interface AgentState {
  /** The way's name, as in {@link StrategyState}. */
  readonly strategy: string;
  readonly agent: string;
  /** Answers since the start that were meant for its like, and those that turned it away. */
  readonly answered: number;
  readonly refused: number;
  /** It was turned away lately, and others are taken before it. */
  readonly resting: boolean;
}

/** Reads the posts of one platform. */
export interface Extractor {
  readonly platform: PlatformName;
  /** How its addresses and ids look. */
  readonly links: LinkTable;
  /** In the order in which they are tried; each goes the way that a reference names. */
  readonly strategies: readonly Strategy[];
  /** Asks the platform which post a short link means. @throws Failure `short_link_dead`, `link_…`, `platform_…` */
  locate(link: ShortLink, signal: AbortSignal): Promise<PostReference>;
  /**
   * Reads a post by the first strategy that works.
   * @param requester the visitor's network, hashed, so that failures of one do not pass for everybody's
   * @throws Failure `post_…`, `account_private`, `platform_…`
   */
  read(reference: PostReference, signal: AbortSignal, requester?: string): Promise<Post>;
  /** For the metrics. */
  states(): readonly StrategyState[];
  /** For the metrics. */
  agents(): readonly AgentState[];
}
