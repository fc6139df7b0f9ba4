import { type Dice, dice } from '../support/dice.ts';

/** A trouble of some strategies for a while. */
export interface Trouble {
  /**
   * `down`: errors at once. `silent`: no answer. `slow`: answers after seconds. `challenge`: rejected. `limited`: so
   * many answers a second, errors beyond. `flaky`: errors for some posts.
   */
  readonly kind: 'down' | 'silent' | 'slow' | 'challenge' | 'limited' | 'flaky';
  /** Names of the affected strategies. */
  readonly strategies: readonly string[];
  /** ms since the start */
  readonly fromMs: number;
  readonly toMs: number;
}

/** One visitor's actions. */
export interface Visit {
  readonly name: string;
  /** The visitor's network: several visitors share one. */
  readonly network: string;
  readonly atMs: number;
  /** Number of the first requested post; a greedy visitor wants the next ones, too. */
  readonly post: number;
  /** Number of files requested at once; 0 if the visitor only looks at the post. */
  readonly sounds: number;
  /** How often the post is read again because its media addresses are refused. */
  readonly refreshes: number;
  /** Leaves after this many ms; null stays to the end. */
  readonly patienceMs: number | null;
  /** Tries again this often after a failure. */
  readonly retries: number;
}

/** Everything that happens to a site in one run, the same for the same seed. */
export interface Scenario {
  readonly seed: number;
  readonly instances: number;
  /** Whether they share Redis. */
  readonly isConnected: boolean;
  /** Delay of messages between instances, in ms. */
  readonly newsMs: number;
  /** Conversions at once on each instance, and those that wait there. */
  readonly parallel: number;
  readonly maxWaiting: number;
  readonly troubles: readonly Trouble[];
  readonly visits: readonly Visit[];
  /** An instance that is stopped meanwhile, as for a new version; null for none. */
  readonly stopped: { readonly instance: number; readonly atMs: number } | null;
}

/** Visitors arrive during this time, in ms. */
const arrivalsMs = 240_000;

function drawTroubles(random: Dice, strategies: readonly string[]): Trouble[] {
  return Array.from({ length: random.chance(0.1) ? 0 : 1 + random.below(3) }, () => {
    const fromMs = random.between(0, arrivalsMs);
    return {
      kind: random.oneOf(['down', 'silent', 'slow', 'challenge', 'limited', 'flaky'] as const),
      strategies: random.chance(0.6) ? strategies : strategies.filter(() => random.chance(0.5)),
      fromMs,
      toMs: fromMs + random.between(1000, random.chance(0.5) ? 180_000 : 40_000),
    };
  });
}

function drawVisits(random: Dice, troubles: readonly Trouble[]): Visit[] {
  const posts = 1 + random.below(random.chance(0.3) ? 20 : 400);
  // A crowd often arrives when an outage is over: it has waited for that.
  const crowdAtMs =
    troubles.length > 0 && random.chance(0.5)
      ? random.oneOf(troubles).toMs - random.between(-500, 2000)
      : random.between(0, arrivalsMs);
  const crowdShare = random.between(0, 0.6);
  const wantsTheSame = random.chance(0.5);
  return Array.from({ length: 40 + random.below(random.chance(0.2) ? 400 : 120) }, (_, number) => {
    const isOfCrowd = random.chance(crowdShare);
    const isGreedy = random.chance(0.05);
    return {
      name: `visitor ${number}`,
      network: `network ${random.below(40)}`,
      atMs: isOfCrowd ? crowdAtMs + random.between(0, 1000) : random.between(0, arrivalsMs),
      // Some posts are much more popular than others.
      post: isOfCrowd && wantsTheSame ? 0 : Math.floor(posts * random.between(0, 1) ** 2),
      sounds: isGreedy ? 4 + random.below(10) : random.below(3),
      refreshes: random.chance(0.2) ? 1 + random.below(4) : 0,
      patienceMs: random.chance(0.15) ? random.between(50, 5000) : null,
      retries: random.below(4),
    };
  });
}

/** @param strategies the names of all strategies */
export function drawScenario(seed: number, strategies: readonly string[]): Scenario {
  const random = dice(seed);
  const instances = 1 + random.below(4);
  const troubles = drawTroubles(random, strategies);
  return {
    seed,
    instances,
    isConnected: random.chance(0.75),
    newsMs: random.chance(0.5) ? 0 : random.between(0, 50),
    parallel: 1 + random.below(3),
    maxWaiting: random.chance(0.3) ? 1 + random.below(10) : 200,
    troubles,
    visits: drawVisits(random, troubles),
    stopped: random.chance(0.1)
      ? { instance: random.below(instances), atMs: random.between(0, arrivalsMs) }
      : null,
  };
}
