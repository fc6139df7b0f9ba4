import { asFailure, Failure, type FailureKey } from '../../failures/failures.ts';
import type { DistributedSingleFlight } from '../../stores/contracts/distributed-single-flight.ts';
import { withTimeLimit } from '../async/time-limit.ts';
import type { TakeTurn } from '../async/turns.ts';
import type { AgentState, Extractor, JarState, StrategyState } from '../extractors/extractor.ts';
import { type LinkTables, recogniseLink, recogniseList } from '../links/recognise.ts';
import {
  type ListReference,
  listSchema,
  type Post,
  type PostList,
  type PostReference,
  referenceSchema,
  type ShortLink,
} from '../post/post.ts';
import { Finder } from './finder.ts';
import { unwrap } from './outcomes.ts';
import { type ReadingLimit, resolveLimitMs } from './platform-requests.ts';
import { PostReader } from './post-reader.ts';

interface ResolveOptions {
  /** Reads the post again: its media addresses have stopped working. */
  readonly fresh?: boolean;
  /** Reads a thin post again, in case the platform shows more of it now; a failure leaves the thin one. */
  readonly again?: boolean | undefined;
  /** The visitor's network, hashed, so that failures of one network do not count as everybody's. */
  readonly requester?: string;
  /** Turns of the visitor, who asks the platform a few things at a time. */
  readonly turn?: TakeTurn;
  /** Told how the request was answered, besides the resolver's own observer. */
  readonly resolved?: ((event: ResolveEvent) => void) | undefined;
}

/** The names under which a post can be taken down. */
export interface PostName {
  readonly platform: string;
  readonly id: string;
  /** Null while it is not known who made the post. */
  readonly handle: string | null;
}

/** How one request was answered, for the metrics. */
export interface ResolveEvent {
  /**
   * `joined`: shared another caller's reading of the same post; `shared`: took another instance's answer; `again`: read a
   * thin post again.
   */
  readonly source: 'cache' | 'joined' | 'shared' | 'read' | 'again';
  /** `thin`: a post with {@link Post.isThin}; `left`: the requester did not wait for the answer. */
  readonly outcome: 'ok' | 'thin' | 'left' | FailureKey;
  readonly durationMs: number;
  /** The strategy that read the post, with its platform in front; null without one. */
  readonly readBy: string | null;
}

export interface PostResolverOptions {
  readonly extractors: readonly Extractor[];
  /**
   * Answers `post_saving_off` for posts whose author has disabled saving, and `platform_failed` where the platform does
   * not say.
   */
  readonly honourSavingOff: boolean;
  /** Answers `post_withheld` for posts taken down here; called without a handle before the post is read. */
  readonly isWithheld?: (post: PostName) => boolean;
  /** Limits concurrent readings; unlimited without it. */
  readonly readingLimit?: Pick<ReadingLimit, 'begin'>;
  /** Shares answers with other instances; absent for a single instance. */
  readonly singleFlight?: DistributedSingleFlight | null;
  /** ms since the epoch: for what is compared with times that the platform or a ticket names */
  readonly now?: () => number;
  /** ms since any moment, for durations: setting the machine's clock does not move it */
  readonly monotonicNow?: () => number;
  readonly observer?: { resolved(event: ResolveEvent): void };
}

/** Reads posts and lists of any platform for visitors. */
export type PostResolver = ReturnType<typeof createPostResolver>;

/**
 * Reads posts and caches them for five minutes (thin ones for one), or until a minute before their addresses expire.
 * Concurrent callers share one reading.
 */
export function createPostResolver({
  extractors,
  honourSavingOff,
  isWithheld = () => false,
  readingLimit = { begin: () => () => {} },
  singleFlight = null,
  now = Date.now,
  monotonicNow = () => performance.now(),
  observer,
}: PostResolverOptions) {
  const shared = { readingLimit, singleFlight, now, monotonicNow };
  const shortLinks = new Finder<ShortLink, PostReference>({
    request: (link, signal) => extractorOf(link.platform).locate(link, signal),
    keyOf: ({ platform, code }) => `${platform} ${code}`,
    ...{ schema: referenceSchema, ttlMs: 3_600_000, max: 5_000, ...shared },
  });
  const lists = new Finder<ListReference, PostList>({
    request: (list, signal) => extractorOf(list.platform).list(list, signal),
    keyOf: ({ platform, kind, name }) => `${platform} ${kind} ${name}`,
    ...{ schema: listSchema, ttlMs: 300_000, max: 1_000, ...shared },
  });
  const posts = new PostReader({
    request: (reference, signal, requester) =>
      extractorOf(reference.platform).read(reference, signal, requester),
    ...shared,
  });

  const links: LinkTables = extractors.map((extractor) => extractor.links);

  function extractorOf(platform: Post['platform']): Extractor {
    const extractor = extractors.find((one) => one.platform === platform);
    if (extractor === undefined) throw new Failure('link_invalid', { note: `no extractor for ${platform}` });
    return extractor;
  }

  /** @throws Failure `post_…`, `account_private`, `platform_…`, or the signal's reason */
  async function resolve(
    reference: PostReference,
    signal: AbortSignal,
    options: ResolveOptions = {},
  ): Promise<Post> {
    const start = monotonicNow();
    const key = `${reference.platform} ${reference.id}`;
    let source: ResolveEvent['source'] = 'cache';
    let readBy: string | null = null;
    let outcome: ResolveEvent['outcome'] = 'internal';
    try {
      signal.throwIfAborted();
      if (isWithheld({ platform: reference.platform, id: reference.id, handle: null }))
        throw new Failure('post_withheld');
      let thin = options.again ? posts.thin(key) : undefined;
      const known = posts.known(key, options.fresh || thin !== undefined);
      if (known === undefined)
        source = posts.isBeingRead(key) ? 'joined' : thin === undefined ? 'read' : 'again';
      const read = () => posts.read(key, reference, { ...options, thin }, signal);
      const first = known === undefined ? await read() : { outcome: known, isShared: false };
      let found = first.outcome;
      if (source === 'read' && first.isShared) source = 'shared';
      if (options.again && source === 'shared') {
        // Another instance has just read it, perhaps as thin.
        thin = posts.thin(key);
        if (thin !== undefined) {
          source = 'again';
          found = (await read()).outcome;
        }
      }
      const post = thin !== undefined && 'failure' in found ? thin : unwrap(found).post;
      readBy = `${post.platform}/${post.readBy}`;
      if (isWithheld({ platform: post.platform, id: post.id, handle: post.author.handle }))
        throw new Failure('post_withheld');
      if (honourSavingOff && post.savingAllowed === null)
        throw new Failure('platform_failed', { note: 'whether its author allows saving is unknown' });
      if (honourSavingOff && !post.savingAllowed) throw new Failure('post_saving_off');
      outcome = post.isThin ? 'thin' : 'ok';
      return post;
    } catch (thrown) {
      outcome = signal.aborted ? 'left' : asFailure(thrown).key;
      throw thrown;
    } finally {
      const event: ResolveEvent = { source, outcome, durationMs: monotonicNow() - start, readBy };
      observer?.resolved(event);
      options.resolved?.(event);
    }
  }

  return {
    /** The shapes of the addresses of the platforms that it reads. */
    links,
    resolve,

    /**
     * Finds the post of anything that a visitor pasted, in at most ten seconds.
     * @throws Failure `link_…`, `short_link_dead`, `post_…`, `account_private`, `platform_…`, or the signal's reason
     */
    async resolveText(
      text: string,
      signal: AbortSignal,
      options?: Pick<ResolveOptions, 'requester' | 'turn' | 'again' | 'resolved'> & {
        /** Told of the post of a short link before it is read. */
        readonly located?: (post: PostReference) => void;
      },
    ): Promise<Post> {
      const link = recogniseLink(text, links);
      // Reading has this limit itself; finding the post first must not double it.
      if ('id' in link) return resolve(link, signal, options);
      return withTimeLimit(resolveLimitMs, signal, async (inner) => {
        const reference = await shortLinks.find(link, inner, options?.turn);
        options?.located?.(reference);
        return resolve(reference, inner, options);
      });
    },
    /**
     * The posts of the list that a text names, without those that are taken down here; cached for five minutes.
     * @throws Failure `link_…`, `account_private`, `post_withheld`, `platform_…`, or the signal's reason
     */
    async list(text: string, signal: AbortSignal, turn?: TakeTurn): Promise<PostList> {
      const reference = recogniseList(text, links);
      if (reference === null) throw new Failure('link_missing', { note: 'no list' });
      const { platform, kind, name } = reference;
      if (kind === 'creator' && isWithheld({ platform, id: '', handle: name }))
        throw new Failure('post_withheld');
      const list = await lists.find(reference, signal, turn);
      return { ...list, posts: list.posts.filter((post) => !isWithheld({ platform, ...post })) };
    },
    /** Every strategy with its circuit breaker. */
    states: (): readonly StrategyState[] => extractors.flatMap((extractor) => extractor.states()),
    /** Every user-agent of every strategy. */
    agents: (): readonly AgentState[] => extractors.flatMap((extractor) => extractor.agents()),
    /** The cookies of every identity on every egress. */
    jars: (): readonly JarState[] => extractors.flatMap((extractor) => extractor.jars()),
  };
}
