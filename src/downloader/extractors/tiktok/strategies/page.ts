import { asFailure, Failure } from '../../../../failures/failures.ts';
import { withTimeLimit } from '../../../async/time-limit.ts';
import type { Post, PostReference } from '../../../post/post.ts';
import type { RequestBudget, Strategy } from '../../extractor.ts';
import { askThrough, type StrategyDoors } from '../identities/ask-through.ts';
import type { Door, DoorOutcome } from '../identities/doors.ts';
import type { Jars } from '../identities/jars.ts';
import { PageShell } from '../responses/page-data.ts';
import { homeUrl, type PageReading, readPage, requestPage } from './read-page.ts';

const limitMs = 5_000;
/** Page requests for one post at most, through whichever doors. */
export const maxPageRequests = 3;
/** One of these is reserved for another egress where there are several. */
const maxOfEgress = 2;
/** Another door is tried beside one that has not answered for this long. */
const hangsAfterMs = 1_800;

export interface PageOptions extends StrategyDoors, PageReading {
  readonly jars: Jars;
}

/**
 * The post's page: every encoding and all the details. It has several doors (identities with their HTTP versions), of
 * which the platform shuts some for weeks; the one that worked lately is tried first.
 */
export function pageStrategy(options: PageOptions): Strategy {
  const { doors, jars } = options;

  /** Reads through one door after the other, and through a second one beside a first that hangs. */
  async function read(
    reference: PostReference,
    signal: AbortSignal,
    budget: RequestBudget = { left: maxPageRequests },
  ): Promise<Post> {
    const { egress } = reference;
    // Second requests with a jar must not use the request that is reserved for another egress.
    const own: RequestBudget = {
      left: egress === undefined ? budget.left : Math.min(budget.left, maxOfEgress),
    };
    if (own.left === 0)
      throw new Failure('platform_blocked', { note: 'no page request is left for the post' });
    budget.left -= own.left;
    const tried: Door[] = [];
    const failures: Failure[] = [];
    /** Doors that showed a page without its post, which other cookies may bring. */
    const shells: Door[] = [];
    const running = new Map<Door, Promise<{ readonly door: Door; readonly result: Post | Failure }>>();
    const end = new AbortController();
    const both = AbortSignal.any([signal, end.signal]);
    const start = (): boolean => {
      const door = own.left > 0 ? doors.next(egress, tried) : null;
      if (door === null) return false;
      tried.push(door);
      const result = readThrough(options, door, reference, both, own).catch(asFailure);
      running.set(
        door,
        result.then((ended) => ({ door, result: ended })),
      );
      return true;
    };
    start();
    try {
      for (;;) {
        const ended = await firstOf([...running.values()], running.size === 1 ? hangsAfterMs : null);
        signal.throwIfAborted();
        if (ended === null) {
          start();
          continue;
        }
        running.delete(ended.door);
        if (!(ended.result instanceof Failure)) {
          // A door that still hangs after another has answered counts as shut.
          for (const door of running.keys()) doors.report(egress, door, 'shut');
          if (own.left > 0) exploreBeside(reference, ended.door);
          return ended.result;
        }
        failures.push(ended.result);
        if (ended.result instanceof PageShell) shells.push(ended.door);
        if (!isOfDoor(ended.result)) throw ended.result;
        if (start() || running.size > 0) continue;
        const post = await readBehindHome(reference, both, own, shells);
        if (post !== null) return post;
        throw failures.find(isLogIn) ?? failures[0];
      }
    } finally {
      // As a rule nothing is left to end, and an abort makes an error with its stack.
      if (running.size > 0) end.abort();
      budget.left += own.left;
    }
  }

  /**
   * Shells for jars with the cookies of the page call for those of the home page. When no request is left for this post,
   * the next one has them.
   */
  async function readBehindHome(
    reference: PostReference,
    signal: AbortSignal,
    budget: RequestBudget,
    shells: readonly Door[],
  ): Promise<Post | null> {
    const { egress } = reference;
    // Phones need the home page least: they get their first cookies with a post.
    const candidates = shells.toSorted((one, other) => Number(isPhone(one)) - Number(isPhone(other)));
    const chosen = jars.nextAtHome(
      egress,
      candidates.map(({ identity }) => identity),
    );
    const door = candidates.find(({ identity }) => identity === chosen);
    if (door === undefined) return null;
    jars.discard(egress, door.identity);
    const visit = async (ends: AbortSignal) => {
      await requestPage(options, door, jars.of(egress, door.identity), {
        url: homeUrl,
        egress,
        signal: ends,
      });
      doors.renew(egress, door);
    };
    if (budget.left === 0) {
      void withTimeLimit(limitMs, new AbortController().signal, visit).catch(() => null);
      return null;
    }
    await visit(signal).catch(() => null);
    return readThrough(options, door, reference, signal, budget).catch(() => null);
  }

  /** Now and then looks whether another door has opened; the visitor does not wait for it. */
  function exploreBeside(reference: PostReference, used: Door): void {
    const other = doors.explore(reference.egress, used);
    if (other === null) return;
    // Its outcome is remembered by the doors, whatever it is.
    withTimeLimit(limitMs, new AbortController().signal, (inner) =>
      readThrough(options, other, reference, inner, { left: 1 }),
    ).catch(() => doors.report(reference.egress, other, 'shut'));
  }

  // A shut door is looked at again within two minutes.
  return { name: 'page', limitMs, read };
}

/** The first that ends; null when none does within so many ms. */
async function firstOf<T>(running: readonly Promise<T>[], withinMs: number | null): Promise<T | null> {
  if (withinMs === null) return Promise.race(running);
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), withinMs);
  try {
    return await Promise.race([...running, promise]);
  } finally {
    clearTimeout(timer);
  }
}

const isLogIn = ({ key }: Failure) => key === 'post_login_required';
/** Whether another door may get another answer. */
const isOfDoor = (failure: Failure) =>
  failure.key === 'platform_blocked' || failure.key === 'platform_failed' || isLogIn(failure);

const isPhone = ({ identity }: Door) => identity.kind === 'phone';

/** The phone's page names a single file, without encodings, on some networks. */
function completeness({ kind, videos }: Post): DoorOutcome {
  return kind === 'photos' || videos.length > 1 ? 'whole' : 'plain';
}

/** Reads a post through one door. @throws Failure */
function readThrough(
  options: PageOptions,
  door: Door,
  reference: PostReference,
  signal: AbortSignal,
  budget: RequestBudget,
): Promise<Post> {
  const { jars } = options;
  const { identity } = door;
  const { egress } = reference;

  const readOnce = () => {
    budget.left -= 1;
    return readPage(options, door, jars.of(egress, identity), reference, signal);
  };

  /** A cold jar gets a shell and cookies; with these it often gets the post. */
  async function readWarm(): Promise<Post> {
    const wasCold = jars.of(egress, identity).size === 0;
    try {
      return await readOnce();
    } catch (thrown) {
      if (!(thrown instanceof PageShell) || !wasCold || budget.left === 0) throw thrown;
      return readOnce();
    }
  }

  return askThrough(
    options,
    door,
    egress,
    async () => {
      try {
        return await readWarm();
      } catch (thrown) {
        // A shell's cookies may be those that the next request needs.
        const isChallenge = asFailure(thrown).key === 'platform_blocked' && !(thrown instanceof PageShell);
        if (isChallenge) jars.discard(egress, identity);
        throw thrown;
      }
    },
    completeness,
  );
}
