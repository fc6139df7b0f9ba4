import { type Strategy, UncertainRefusal, VagueRefusal } from '../../src/downloader/extractors/extractor.ts';
import type { Explainer } from '../../src/downloader/extractors/strategy-chain.ts';
import { UnreadableResponse } from '../../src/downloader/extractors/unreadable.ts';
import type { Post } from '../../src/downloader/post/post.ts';
import { Failure } from '../../src/failures/failures.ts';
import { type Dice, dice } from '../support/dice.ts';
import type { RequestEnd, SimulatedRequest } from './rules/breakers.ts';
import { roundingMs } from './rules/violations.ts';
import type { Scenario, Trouble } from './scenario.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A strategy with the product's name and time limit. */
export interface SimulatedStrategy {
  readonly name: string;
  readonly limitMs: number;
}

/** Called with each request to the platform. @returns a function to call with its end */
export type RequestObserver = (request: SimulatedRequest) => (end: RequestEnd) => void;

/** The platform as instances see it. */
export interface SimulatedPlatform {
  strategies(instance: number): readonly Strategy[];
  explainer(instance: number): Explainer;
}

const firstId = 7_300_000_000_000_000_000n;
/** The id of a post by its number. */
export const postId = (number: number): string => String(firstId + BigInt(number));

/** The fate of a post: the same for every strategy and in every run of a seed. */
function fateOf(scenarioSeed: number, id: string): 'there' | 'gone' | 'private' | 'unreadable' {
  const share = dice(scenarioSeed ^ Number(BigInt(id) % 1_000_003n)).between(0, 1);
  if (share < 0.86) return 'there';
  if (share < 0.92) return 'gone';
  return share < 0.97 ? 'private' : 'unreadable';
}

/** Whether a post can be read. */
export const isThere = (scenarioSeed: number, id: string): boolean => fateOf(scenarioSeed, id) === 'there';

function postOf(id: string, readBy: string): Post {
  return {
    platform: 'tiktok',
    id,
    url: `https://www.tiktok.com/@someone/video/${id}`,
    kind: 'video',
    author: { handle: 'someone', name: 'Someone' },
    title: '',
    durationS: 15,
    cover: null,
    createdAt: null,
    videos: [],
    separateSounds: [],
    pictures: [],
    sound: null,
    song: null,
    soundMeasured: true,
    savingAllowed: true,
    readBy,
  };
}

/** Later than all visitors and all troubles, in ms since the start. */
const calmFromMs = 500_000;
/** Answers per second while it limits requests. */
const limitedPerSecond = 2;
/** Some strategies answer "nothing here" when others give the reason. */
const isVague = (strategy: string) => strategy === 'embed' || strategy === 'player';

/** @param methods all strategies, and the explainer */
export function simulatePlatform(
  { seed, troubles }: Pick<Scenario, 'seed' | 'troubles'>,
  time: VirtualTime,
  methods: { readonly strategies: readonly SimulatedStrategy[]; readonly explainer: SimulatedStrategy },
  observe: RequestObserver,
): SimulatedPlatform {
  const random = dice(seed ^ 0x5eed);
  const answeredAt: number[] = [];

  /** @throws Failure, or the signal's reason */
  async function suffer({ kind }: Trouble, signal: AbortSignal): Promise<void> {
    switch (kind) {
      case 'down':
        throw new Failure('platform_failed');
      case 'silent':
        return time.pause(3_600_000, signal);
      case 'slow':
        return time.pause(random.between(500, 12_000), signal);
      case 'challenge':
        throw new Failure('platform_blocked');
      case 'flaky':
        if (random.chance(0.5)) throw new Failure('platform_failed');
        return;
      case 'limited':
        while ((answeredAt[0] ?? Number.POSITIVE_INFINITY) <= time.now() - 1000) answeredAt.shift();
        if (answeredAt.length >= limitedPerSecond)
          throw new Failure('platform_throttled', { retryAfterS: 5 });
        answeredAt.push(time.now());
    }
  }

  /** Requests a post by a strategy. @throws Failure, or the signal's reason */
  async function ask(
    { name: strategy, limitMs }: SimulatedStrategy,
    instance: number,
    post: string,
    signal: AbortSignal,
  ): Promise<void> {
    const since = time.now();
    const ended = observe({ strategy, limitMs, instance, post });
    let end: RequestEnd = 'failed';
    try {
      await time.pause(latencyMs(random, time.now() > calmFromMs), signal);
      const now = time.now();
      for (const trouble of troubles)
        if (trouble.strategies.includes(strategy) && trouble.fromMs <= now && now < trouble.toMs)
          await suffer(trouble, signal);
      end = fateOf(seed, post) === 'unreadable' ? 'failed' : 'answered';
    } finally {
      ended(signal.aborted && time.now() - since < limitMs - roundingMs ? 'left' : end);
    }
  }

  return {
    strategies: (instance) =>
      methods.strategies.map((strategy) => ({
        ...strategy,
        async read({ id }, signal) {
          const { name } = strategy;
          await ask(strategy, instance, id, signal);
          const fate = fateOf(seed, id);
          if (fate === 'gone')
            throw isVague(name) ? new VagueRefusal('post_gone') : new UncertainRefusal('post_gone');
          if (fate === 'private') throw new Failure('post_private');
          if (fate === 'unreadable') throw new UnreadableResponse('media');
          return postOf(id, name);
        },
      })),
    explainer: (instance) => ({
      ...methods.explainer,
      async explain({ id }, refusal, signal) {
        await ask(methods.explainer, instance, id, signal);
        return refusal;
      },
    }),
  };
}

/** Most answers take a moment, while visitors come a few take seconds. */
function latencyMs(random: Dice, isCalm: boolean): number {
  return !isCalm && random.chance(0.03) ? random.between(1000, 6000) : random.between(80, 600);
}
