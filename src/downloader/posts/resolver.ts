import { SingleFlight } from '../async/single-flight.ts';
import { withTimeLimit } from '../async/time-limit.ts';
import type { AgentState, Clock, Extractor, MonotonicClock, StrategyState } from '../extractors/extractor.ts';
import { asFailure, Failure, type FailureKey } from '../failures.ts';
import { recogniseLink } from '../links/recognise.ts';
import { AnswerCache, unwrap } from './answer-cache.ts';
import type { MediaSource, Post, PostReference, ShortLink } from './post.ts';
import type { ReadingLimit } from './reading-limit.ts';

interface ResolveOptions {
  /** Reads the post anew: its media addresses have stopped working. */
  readonly fresh?: boolean;
  /** The visitor's network, hashed, so that failures of one do not pass for everybody's. */
  readonly asker?: string;
}

/** How one question was answered, for the metrics. */
export interface ResolveEvent {
  /** `joined`: somebody else's reading of the same post was shared. */
  readonly source: 'cache' | 'joined' | 'read';
  /** `left`: the asker did not wait for the answer. */
  readonly outcome: 'ok' | 'left' | FailureKey;
  readonly durationMs: number;
  /** The strategy that read the post; null without one. */
  readonly readBy: string | null;
}

export interface PostResolverOptions {
  readonly extractors: readonly Extractor[];
  /** Answers `post_saving_off` for posts whose author switched saving off. */
  readonly honourSavingOff: boolean;
  /** Posts that are taken down here, `post_withheld`; asked without a handle before the post is read. */
  readonly isWithheld?: (post: { readonly id: string; readonly handle: string | null }) => boolean;
  /** Bounds how many posts are read at once; without one there is no bound. */
  readonly readingLimit?: Pick<ReadingLimit, 'begin'>;
  readonly clock?: Clock;
  readonly monotonic?: MonotonicClock;
  readonly observer?: { resolved(event: ResolveEvent): void };
}

export interface PostResolver {
  /**
   * From anything a visitor pasted to its post, in at most ten seconds.
   * @throws Failure `link_…`, `short_link_dead`, `post_…`, `account_private`, `platform_…`, or the signal's reason
   */
  resolveText(text: string, signal: AbortSignal, options?: Pick<ResolveOptions, 'asker'>): Promise<Post>;
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
/** Askers whose addresses expired together come within moments of each other: one new reading serves them all. */
const refreshSharedMs = 3_000;

export function createPostResolver({
  extractors,
  honourSavingOff,
  isWithheld = () => false,
  readingLimit = { begin: () => () => {} },
  clock = Date.now,
  monotonic = () => performance.now(),
  observer,
}: PostResolverOptions): PostResolver {
  const posts = new AnswerCache<ReadPost>(maxPosts, monotonic);
  const codes = new AnswerCache<PostReference>(maxCodes, monotonic);
  const readings = new SingleFlight<ReadPost>();
  const searches = new SingleFlight<PostReference>();

  function extractorOf(platform: Post['platform']): Extractor {
    const extractor = extractors.find((one) => one.platform === platform);
    if (extractor === undefined) throw new Failure('link_invalid', { note: `no extractor for ${platform}` });
    return extractor;
  }

  function cachedPost(key: string, fresh: boolean) {
    const answer = posts.get(key);
    if (answer === undefined || !fresh) return answer;
    const refreshedAt = 'value' in answer ? answer.value.refreshedAt : null;
    return refreshedAt !== null && monotonic() - refreshedAt < refreshSharedMs ? answer : undefined;
  }

  async function readPost(
    reference: PostReference,
    { fresh = false, asker }: ResolveOptions,
    signal: AbortSignal,
  ): Promise<ReadPost> {
    const key = keyOf(reference.platform, reference.id);
    // In front of what is remembered: a refusal says nothing about the post.
    const end = readingLimit.begin();
    try {
      const post = await withTimeLimit(resolveLimitMs, signal, (inner) =>
        extractorOf(reference.platform).read(reference, inner, asker),
      );
      const read = { post, refreshedAt: fresh ? monotonic() : null };
      posts.keep(key, read, Math.min(postTtlMs, soonestExpiry(post) - clock() - expiryMarginMs));
      return read;
    } catch (thrown) {
      signal.throwIfAborted();
      const failure = asFailure(thrown);
      posts.keepFailure(key, failure);
      throw failure;
    } finally {
      end();
    }
  }

  async function locate(link: ShortLink, signal: AbortSignal): Promise<PostReference> {
    const key = keyOf(link.platform, link.code);
    const known = codes.get(key);
    if (known !== undefined) return unwrap(known);
    return searches.run(key, signal, async (inner) => {
      const end = readingLimit.begin();
      try {
        const reference = await withTimeLimit(resolveLimitMs, inner, (limited) =>
          extractorOf(link.platform).locate(link, limited),
        );
        codes.keep(key, reference, codeTtlMs);
        return reference;
      } catch (thrown) {
        inner.throwIfAborted();
        const failure = asFailure(thrown);
        codes.keepFailure(key, failure);
        throw failure;
      } finally {
        end();
      }
    });
  }

  async function resolve(
    reference: PostReference,
    signal: AbortSignal,
    options: ResolveOptions = {},
  ): Promise<Post> {
    const start = monotonic();
    const key = keyOf(reference.platform, reference.id);
    let source: ResolveEvent['source'] = 'cache';
    let readBy: string | null = null;
    let outcome: ResolveEvent['outcome'] = 'internal';
    try {
      signal.throwIfAborted();
      if (isWithheld({ id: reference.id, handle: null })) throw new Failure('post_withheld');
      const known = cachedPost(key, options.fresh ?? false);
      if (known === undefined) source = readings.has(key) ? 'joined' : 'read';
      const { post } =
        known === undefined
          ? await readings.run(key, signal, (inner) => readPost(reference, options, inner))
          : unwrap(known);
      readBy = post.readBy;
      if (isWithheld({ id: post.id, handle: post.author.handle })) throw new Failure('post_withheld');
      if (honourSavingOff && !post.savingAllowed) throw new Failure('post_saving_off');
      outcome = 'ok';
      return post;
    } catch (thrown) {
      outcome = signal.aborted ? 'left' : asFailure(thrown).key;
      throw thrown;
    } finally {
      observer?.resolved({ source, outcome, durationMs: monotonic() - start, readBy });
    }
  }

  return {
    resolve,
    async resolveText(text, signal, options) {
      const link = recogniseLink(text);
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
  const sources: (MediaSource | undefined)[] = [
    ...post.videos.map((video) => video.source),
    ...post.pictures.map((picture) => picture.source),
    post.sound?.source,
  ];
  return Math.min(...sources.map((source) => source?.expiresAt ?? Number.POSITIVE_INFINITY));
}
