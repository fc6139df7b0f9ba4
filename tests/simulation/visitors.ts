import type { ConvertedFile } from '../../src/downloader/conversions/contracts.ts';
import { fileKey } from '../../src/downloader/conversions/source.ts';
import type { PostReference } from '../../src/downloader/post/post.ts';
import type { TicketSound } from '../../src/downloader/tickets/ticket-file.ts';
import { asFailure, Failure } from '../../src/failures/failures.ts';
import { dice } from '../support/dice.ts';
import type { SimulatedInstance } from './instances.ts';
import { postId } from './platform.ts';
import type { Answers } from './rules/answers.ts';
import type { Scenario, Visit } from './scenario.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The time limit of `resolve`, in ms. */
const resolveLimitMs = 10_000;
/** Retry time after a failure without one, in ms. */
const retryMs = 2000;
const mostRetryMs = 60_000;

export interface VisitorsOptions {
  readonly scenario: Scenario;
  readonly time: VirtualTime;
  readonly answers: Answers;
  /** The balancer's current instances. */
  readonly instances: () => readonly SimulatedInstance[];
}

/** Counts of how visitors were answered, by result or failure. */
export type Outcomes = Map<string, number>;

/** Lets all visitors come, ask and leave while time passes. @returns how they were answered */
export function simulateVisitors({ scenario, time, answers, instances }: VisitorsOptions): Outcomes {
  const random = dice(scenario.seed ^ 0x715);
  const outcomes: Outcomes = new Map();
  const count = (what: string) => void outcomes.set(what, (outcomes.get(what) ?? 0) + 1);

  const reference = (post: number): PostReference => ({ platform: 'tiktok', id: postId(post) });

  /** @returns null for a post, or the reason why there is none */
  async function askForPost(
    visit: Visit,
    post: number,
    signal: AbortSignal,
    fresh = false,
  ): Promise<Failure | null> {
    const { name, resolver } = random.oneOf(instances());
    const asked = answers.ask(`${visit.name} at ${name} for post ${post}`, resolveLimitMs, signal);
    try {
      await resolver.resolve(reference(post), signal, { requester: visit.network, fresh });
      return null;
    } catch (thrown) {
      return asFailure(thrown);
    } finally {
      asked.answered();
    }
  }

  async function read(file: ConvertedFile, signal: AbortSignal): Promise<void> {
    const paceMs = random.chance(0.2) ? random.between(0, 3000) : 0;
    try {
      for await (const _ of file.read(0, file.length)) if (paceMs > 0) await time.pause(paceMs, signal);
    } finally {
      file.release();
    }
  }

  /** @returns null for a complete file, or the reason why there is none */
  async function askForSound(visit: Visit, post: number, signal: AbortSignal): Promise<Failure | null> {
    const known = instances();
    // All requests of a ticket go to one instance.
    const instance = known[post % known.length];
    if (instance === undefined) throw new Error('no instance is left');
    const work: TicketSound = { kind: 'sound', format: 'mp3', post: reference(post) };
    const asked = answers.ask(`${visit.name} at ${instance.name} for sound ${post}`, null, signal);
    const hasTurn = instance.turns.ask(visit.name, fileKey(work));
    let file: ConvertedFile;
    try {
      file = await instance.conversions.open(work, visit.name, signal);
    } catch (thrown) {
      return asFailure(thrown);
    } finally {
      hasTurn();
      asked.answered();
    }
    try {
      await read(file, signal);
      return null;
    } catch (thrown) {
      return asFailure(thrown);
    }
  }

  /** Retries as often as this visitor likes, if that may help. */
  async function insist(
    what: string,
    { retries }: Visit,
    signal: AbortSignal,
    ask: () => Promise<Failure | null>,
  ): Promise<boolean> {
    for (let tries = 0; ; tries += 1) {
      const failure = await ask();
      count(`${what} ${signal.aborted ? 'left' : (failure?.key ?? 'ok')}`);
      if (failure === null) return true;
      if (signal.aborted || tries >= retries) return false;
      if (failure.retryAfterS === undefined && !failure.key.startsWith('platform_')) return false;
      await time.pause(Math.min(mostRetryMs, (failure.retryAfterS ?? retryMs / 1000) * 1000), signal);
    }
  }

  async function come(visit: Visit): Promise<void> {
    const leaving = new AbortController();
    const { signal } = leaving;
    const { post, sounds, patienceMs } = visit;
    const stay =
      patienceMs === null
        ? () => {}
        : time.after(patienceMs, () => leaving.abort(new Failure('conversion_cancelled')));
    try {
      const isThere = await insist('post', visit, signal, () => askForPost(visit, post, signal));
      for (let refresh = 0; isThere && refresh < visit.refreshes; refresh += 1) {
        const failure = await askForPost(visit, post, signal, true);
        count(`again ${signal.aborted ? 'left' : (failure?.key ?? 'ok')}`);
        await time.pause(random.between(0, 1500), signal);
      }
      if (isThere)
        await Promise.all(
          Array.from({ length: sounds }, (_, further) =>
            insist('sound', visit, signal, () => askForSound(visit, post + further, signal)),
          ),
        );
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    } finally {
      stay();
    }
  }

  for (const visit of scenario.visits) time.after(visit.atMs, () => void come(visit));
  return outcomes;
}
