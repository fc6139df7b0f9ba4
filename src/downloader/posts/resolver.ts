import { asFailure, Failure, type FailureKey } from '../../failures/failures.ts';
import type { SharedWork } from '../../stores/contracts/shared-work.ts';
import { SingleFlight } from '../async/single-flight.ts';
import { withTimeLimit } from '../async/time-limit.ts';
import type { AgentState, Extractor, StrategyState } from '../extractors/extractor.ts';
import { type LinkTables, recogniseLink } from '../links/recognise.ts';
import { type Answer, AnswerCache, failureTtlMs, unwrap } from './answer-cache.ts';
import type { MediaSource, Post, PostReference, ShortLink } from './post.ts';
import { postSchema, referenceSchema } from './post-schema.ts';
import type { ReadingLimit } from './reading-limit.ts';
import { type SharedAnswers, shareAnswers, type TimedAnswer } from './shared-answers.ts';

interface ResolveOptions {
  /** Reads the post anew: its media addresses have stopped working. */
  readonly fresh?: boolean;
  /** The visitor's network, hashed, so that failures of one do not pass for everybody's. */
  readonly requester?: string;
}

/** What tells whether a post is taken down. */
export interface PostName {
  readonly platform: string;
  readonly id: string;
  /** Null while it is not known who made the post. */
  readonly handle: string | null;
}

/** How one question was answered, for the metrics. */
export interface ResolveEvent {
  /** `joined`: somebody else's reading of the same post was shared; `shared`: that of another instance. */
  readonly source: 'cache' | 'joined' | 'shared' | 'read';
  /** `left`: the requester did not wait for the answer. */
  readonly outcome: 'ok' | 'left' | FailureKey;
  readonly durationMs: number;
  /** The strategy that read the post, with its platform in front; null without one. */
  readonly readBy: string | null;
}

export interface PostResolverOptions {
  readonly extractors: readonly Extractor[];
  /** Answers `post_saving_off` for posts whose author switched saving off. */
  readonly honourSavingOff: boolean;
  /** Posts that are taken down here, `post_withheld`; asked without a handle before the post is read. */
  readonly isWithheld?: (post: PostName) => boolean;
  /** Bounds how many posts are read at once; without one there is no bound. */
  readonly readingLimit?: Pick<ReadingLimit, 'begin'>;
  /** Passes answers on between instances; without it this one is alone. */
  readonly sharedWork?: SharedWork | null;
  /** ms since the epoch: for what is compared with times that the platform or a ticket names */
  readonly now?: () => number;
  /** ms since any moment, for durations: setting the machine's clock does not move it */
  readonly monotonicNow?: () => number;
  readonly observer?: { resolved(event: ResolveEvent): void };
}

export interface PostResolver {
  /** What the addresses look like whose posts it finds. */
  readonly links: LinkTables;
  /**
   * From anything a visitor pasted to its post, in at most ten seconds.
   * @throws Failure `link_…`, `short_link_dead`, `post_…`, `account_private`, `platform_…`, or the signal's reason
   */
  resolveText(text: string, signal: AbortSignal, options?: Pick<ResolveOptions, 'requester'>): Promise<Post>;
  /** @throws Failure `post_…`, `account_private`, `platform_…`, or the signal's reason */
  resolve(reference: PostReference, signal: AbortSignal, options?: ResolveOptions): Promise<Post>;
  /** Every strategy with its circuit breaker. */
  states(): readonly StrategyState[];
  /** Every user-agent of every strategy. */
  agents(): readonly AgentState[];
}

interface ReadPost {
  readonly post: Post;
  /** When it was read because an address had expired; null for the first reading. */
  readonly refreshedAt: number | null;
}

const resolveLimitMs = 10_000;
const maxPosts = 2_000;
const maxCodes = 5_000;
const postTtlMs = 300_000;
const codeTtlMs = 3_600_000;
/** A file that starts now should not lose its address at once. */
const expiryMarginMs = 60_000;
/** Callers whose addresses expired together come within moments of each other: one new reading serves them all. */
const refreshSharedMs = 3_000;

/**
 * Reads posts and keeps what it has read: five minutes, or until a minute before its addresses expire. Whoever asks
 * for the same post meanwhile shares one reading.
 */
export function createPostResolver({
  extractors,
  honourSavingOff,
  isWithheld = () => false,
  readingLimit = { begin: () => () => {} },
  sharedWork = null,
  now = Date.now,
  monotonicNow = () => performance.now(),
  observer,
}: PostResolverOptions): PostResolver {
  const posts = new AnswerCache<ReadPost>(maxPosts, monotonicNow);
  /** Readings of known posts that went wrong: the answer that is known stays true, but is not asked for again at once. */
  const failedRefreshes = new AnswerCache<ReadPost>(maxPosts, monotonicNow);
  const codes = new AnswerCache<PostReference>(maxCodes, monotonicNow);
  const readings = new SingleFlight<{ answer: Answer<ReadPost>; isShared: boolean }>();
  const searches = new SingleFlight<Answer<PostReference>>();
  const sharedPosts = shareAnswers(sharedWork, postSchema, now);
  const sharedCodes = shareAnswers(sharedWork, referenceSchema, now);

  const links = extractors.map((extractor) => extractor.links);

  function extractorOf(platform: Post['platform']): Extractor {
    const extractor = extractors.find((one) => one.platform === platform);
    if (extractor === undefined) throw new Failure('link_invalid', { note: `no extractor for ${platform}` });
    return extractor;
  }

  function cachedPost(key: string, fresh: boolean) {
    const answer = posts.get(key);
    if (answer === undefined || !fresh) return answer;
    // A failure is of a moment ago.
    if ('failure' in answer) return answer;
    const { refreshedAt } = answer.value;
    if (refreshedAt !== null && monotonicNow() - refreshedAt < refreshSharedMs) return answer;
    return failedRefreshes.get(key);
  }

  /**
   * Asks the platform, once for all instances that want to know.
   * @param ttlOf for how long an answer is good, in ms
   * @throws the signal's reason alone
   */
  async function askOnce<T extends object>(
    shared: SharedAnswers<T>,
    key: string,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<T>,
    ttlOf: (value: T) => number,
  ): Promise<TimedAnswer<T> & { isShared: boolean }> {
    const told = (failure: Failure) => ({ answer: { failure }, ttlMs: failureTtlMs(failure) });
    try {
      return await withTimeLimit(resolveLimitMs, signal, (limited) =>
        shared.run(key, limited, async (inner) => {
          const end = readingLimit.begin();
          try {
            const value = await ask(inner);
            return { answer: { value }, ttlMs: ttlOf(value) };
          } catch (thrown) {
            inner.throwIfAborted();
            const failure = asFailure(thrown);
            // What says nothing about the post is nobody else's answer.
            if (failureTtlMs(failure) === 0) throw failure;
            return told(failure);
          } finally {
            end();
          }
        }),
      );
    } catch (thrown) {
      signal.throwIfAborted();
      return { ...told(asFailure(thrown)), isShared: false };
    }
  }

  async function readPost(
    reference: PostReference,
    { fresh = false, requester }: ResolveOptions,
    signal: AbortSignal,
  ): Promise<{ answer: Answer<ReadPost>; isShared: boolean }> {
    const key = keyOf(reference.platform, reference.id);
    const ttlOf = (post: Post) => Math.min(postTtlMs, soonestExpiry(post) - now() - expiryMarginMs);
    const { answer, ttlMs, isShared } = await askOnce(
      sharedPosts,
      fresh ? `fresh ${key}` : key,
      signal,
      (inner) => extractorOf(reference.platform).read(reference, inner, requester),
      fresh ? (post) => Math.min(refreshSharedMs, ttlOf(post)) : ttlOf,
    );
    if ('failure' in answer) {
      posts.keepFailure(key, answer.failure);
      if (fresh) failedRefreshes.keepFailure(key, answer.failure);
      return { answer, isShared };
    }
    const post = answer.value;
    const keepMs = fresh ? ttlOf(post) : ttlMs;
    const read = { post, refreshedAt: fresh ? monotonicNow() : null };
    posts.keep(key, read, keepMs);
    if (fresh && !isShared) await sharedPosts.put(key, { answer, ttlMs: keepMs });
    return { answer: { value: read }, isShared };
  }

  async function locate(link: ShortLink, signal: AbortSignal): Promise<PostReference> {
    const key = keyOf(link.platform, link.code);
    const known = codes.get(key);
    if (known !== undefined) return unwrap(known);
    const answer = await searches.run(key, signal, async (inner) => {
      const told = await askOnce(
        sharedCodes,
        key,
        inner,
        (limited) => extractorOf(link.platform).locate(link, limited),
        () => codeTtlMs,
      );
      if ('failure' in told.answer) codes.keepFailure(key, told.answer.failure);
      else codes.keep(key, told.answer.value, told.ttlMs);
      return told.answer;
    });
    return unwrap(answer);
  }

  async function resolve(
    reference: PostReference,
    signal: AbortSignal,
    options: ResolveOptions = {},
  ): Promise<Post> {
    const start = monotonicNow();
    const key = keyOf(reference.platform, reference.id);
    let source: ResolveEvent['source'] = 'cache';
    let readBy: string | null = null;
    let outcome: ResolveEvent['outcome'] = 'internal';
    try {
      signal.throwIfAborted();
      if (isWithheld({ platform: reference.platform, id: reference.id, handle: null }))
        throw new Failure('post_withheld');
      const known = cachedPost(key, options.fresh ?? false);
      if (known === undefined) source = readings.has(key) ? 'joined' : 'read';
      const { answer, isShared } =
        known === undefined
          ? await readings.run(key, signal, (inner) => readPost(reference, options, inner))
          : { answer: known, isShared: false };
      if (source === 'read' && isShared) source = 'shared';
      const { post } = unwrap(answer);
      readBy = `${post.platform}/${post.readBy}`;
      if (isWithheld({ platform: post.platform, id: post.id, handle: post.author.handle }))
        throw new Failure('post_withheld');
      if (honourSavingOff && !post.savingAllowed) throw new Failure('post_saving_off');
      outcome = 'ok';
      return post;
    } catch (thrown) {
      outcome = signal.aborted ? 'left' : asFailure(thrown).key;
      throw thrown;
    } finally {
      observer?.resolved({ source, outcome, durationMs: monotonicNow() - start, readBy });
    }
  }

  return {
    links,
    resolve,
    async resolveText(text, signal, options) {
      const link = recogniseLink(text, links);
      // Reading has this limit itself; finding the post first must not double it.
      if ('id' in link) return resolve(link, signal, options);
      return withTimeLimit(resolveLimitMs, signal, async (inner) =>
        resolve(await locate(link, inner), inner, options),
      );
    },
    states: () => extractors.flatMap((extractor) => extractor.states()),
    agents: () => extractors.flatMap((extractor) => extractor.agents()),
  };
}

/** Ids and codes of a platform differ in shape, platforms in name. */
function keyOf(platform: string, name: string): string {
  return `${platform} ${name}`;
}

/** When the first of a post's files can no longer be fetched, in ms since the epoch. */
function soonestExpiry(post: Post): number {
  const sources: (MediaSource | null | undefined)[] = [
    ...post.videos.map((video) => video.source),
    ...post.separateSounds.map((sound) => sound.source),
    ...post.pictures.flatMap(({ source, motion }) => [source, motion]),
    post.sound?.source,
  ];
  return Math.min(...sources.map((source) => source?.expiresAt ?? Number.POSITIVE_INFINITY));
}
