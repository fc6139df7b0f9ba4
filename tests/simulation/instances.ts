import type { Conversions } from '../../src/downloader/conversions/contracts.ts';
import { createLocalConversions } from '../../src/downloader/conversions/conversions.ts';
import { fileKey } from '../../src/downloader/conversions/source.ts';
import type { Extractor } from '../../src/downloader/extractors/extractor.ts';
import { StrategyChain } from '../../src/downloader/extractors/strategy-chain.ts';
import { tiktokLinks } from '../../src/downloader/links/tiktok.ts';
import { createReadingLimit } from '../../src/downloader/posts/platform-requests.ts';
import { createPostResolver, type PostResolver } from '../../src/downloader/posts/resolver.ts';
import { asFailure, Failure } from '../../src/failures/failures.ts';
import type { DistributedSingleFlight } from '../../src/stores/contracts/distributed-single-flight.ts';
import type { SharedBreakers } from '../../src/stores/contracts/shared-breakers.ts';
import {
  createMemoryFileStore,
  type MemoryFileStore,
} from '../../src/stores/contracts/testing/memory-file-store.ts';
import { MemorySharedBreakers } from '../../src/stores/contracts/testing/memory-shared-breakers.ts';
import { createMemorySingleFlight } from '../../src/stores/contracts/testing/memory-single-flight.ts';
import { createConversionStore } from '../../src/stores/embedded/conversion-store.ts';
import { simulatePlatform } from './platform.ts';
import { type BreakerRules, createBreakerRules } from './rules/breakers.ts';
import { createReadingRules, type ReadingRules } from './rules/readings.ts';
import { createStormRules, type StormRules } from './rules/storms.ts';
import { createTurns, type Turns } from './rules/turns.ts';
import type { Report } from './rules/violations.ts';
import type { Scenario } from './scenario.ts';
import { simulateSoundMaker } from './sound-maker.ts';
import { methods } from './strategies.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Any moment, in ms since the epoch. */
const epochMs = 1_800_000_000_000;

/** Instances that share Redis and a bucket, or a single one, with the rules that apply to them. */
interface Group {
  readonly breakers: MemorySharedBreakers;
  readonly singleFlight: DistributedSingleFlight;
  readonly fileStore: MemoryFileStore;
  readonly rules: {
    readonly breakers: BreakerRules;
    readonly readings: ReadingRules;
    readonly storms: StormRules;
  };
}

/** The product's parts between a link and a file, as one instance has them. */
export interface SimulatedInstance {
  readonly name: string;
  readonly group: Group;
  readonly resolver: PostResolver;
  readonly conversions: Conversions;
  readonly turns: Turns;
}

/**
 * Breakers observed by the rules. Other instances' messages arrive a moment later.
 * @param breakers null for a single instance
 */
function watched(
  breakers: SharedBreakers | null,
  rules: BreakerRules,
  newsMs: number,
  time: VirtualTime,
): SharedBreakers {
  // Breakers are prefixed with the platform's name, and there is only one platform.
  const strategyOf = (name: string) => name.slice(name.indexOf('/') + 1);
  const opened = (name: string, forMs: number) => rules.opened(strategyOf(name), forMs);
  const closed = (name: string) => rules.closed(strategyOf(name));
  if (breakers === null) return { opened, closed, watch() {}, beginTrial: async () => true, endTrial() {} };
  const later = newsMs === 0 ? (fire: () => void) => fire() : (fire: () => void) => time.after(newsMs, fire);
  return {
    watch: (name, listener) => breakers.watch(name, (open) => later(() => listener(open))),
    opened(name, forMs) {
      opened(name, forMs);
      breakers.opened(name, forMs);
    },
    closed(name) {
      closed(name);
      breakers.closed(name);
    },
    async beginTrial(name, limitMs) {
      if (newsMs > 0) await time.pause(newsMs);
      return breakers.beginTrial(name, limitMs);
    },
    endTrial: (name) => breakers.endTrial(name),
  };
}

/** Creates the instances of a scenario. @param report called with every violated rule */
export function simulateInstances(
  scenario: Scenario,
  time: VirtualTime,
  report: Report,
): readonly SimulatedInstance[] {
  const { seed, instances, isConnected, newsMs, parallel, maxWaiting } = scenario;
  const { now } = time;

  function createGroup(name: string, members: number): Group {
    const storms = createStormRules(name, members, now, report);
    return {
      breakers: new MemorySharedBreakers(now),
      singleFlight: createMemorySingleFlight(now),
      fileStore: createMemoryFileStore(now),
      rules: {
        // An instance that gets messages late also requests the trial late.
        breakers: createBreakerRules(name, 2 * newsMs + 1, now, report),
        readings: createReadingRules(name, storms.unwantedMs, now, report),
        storms,
      },
    };
  }

  const common = createGroup('all instances', instances);
  const groups = Array.from({ length: instances }, (_, at) =>
    isConnected ? common : createGroup(`instance ${at}`, 1),
  );
  const groupOf = (instance: number) => groups[instance] ?? common;

  const platform = simulatePlatform(scenario, time, methods, (request) => {
    const { rules } = groupOf(request.instance);
    rules.storms.request(request.strategy, rules.readings.givenUp);
    return rules.breakers.request(request);
  });

  return groups.map((group, instance) => {
    const name = `instance ${instance}`;
    const { rules } = group;
    const shared = isConnected ? group.breakers.instance() : null;
    const sharedBreakers = watched(shared, rules.breakers, newsMs, time);
    const chain = new StrategyChain({
      platform: tiktokLinks.platform,
      strategies: platform.strategies(instance),
      explainer: platform.explainer(instance),
      now,
      sharedBreakers,
    });
    const extractor: Extractor = {
      platform: tiktokLinks.platform,
      links: tiktokLinks,
      strategies: platform.strategies(instance),
      locate: () => Promise.reject(new Error('there are no short links here')),
      async read(reference, signal, requester) {
        const answered = rules.readings.begin(reference.id, signal);
        try {
          const post = await chain.read(reference, signal, requester);
          answered(null);
          return post;
        } catch (thrown) {
          answered(asFailure(thrown));
          throw thrown;
        }
      },
      tryWhenDue: (usual, idleMs, signal) => chain.tryWhenDue(usual, idleMs, signal),
      states: () => chain.states(),
      agents: () => [],
      jars: () => [],
      list: () => Promise.reject(new Failure('link_profile')),
      matrix: async function* () {},
    };
    const unobserved = createPostResolver({
      extractors: [extractor],
      honourSavingOff: false,
      readingLimit: createReadingLimit({ isBusy: () => false }),
      singleFlight: isConnected ? group.singleFlight : null,
      now: () => epochMs + now(),
      monotonicNow: now,
    });
    const resolver: PostResolver = {
      ...unobserved,
      async resolve(reference, signal, options) {
        const wanted = [rules.storms.want(reference.id)];
        if (options?.fresh === true)
          wanted.push(rules.readings.wantFresh(reference.id), rules.storms.want(`${reference.id} anew`));
        try {
          return await unobserved.resolve(reference, signal, options);
        } finally {
          for (const enough of wanted) enough();
        }
      },
    };
    const turns = createTurns(name, parallel, now, report);
    const maker = simulateSoundMaker(seed ^ (instance + 1), time, (post, signal) =>
      resolver.resolve(post, signal),
    );
    const conversions = createLocalConversions({
      maker: {
        prepare(request) {
          turns.started(fileKey(request.work));
          return maker.prepare(request);
        },
      },
      store: createConversionStore({ now }),
      fileStore: group.fileStore,
      parallel,
      maxWaiting,
      now,
      observer: {
        requested() {},
        waiting() {},
        running() {},
        ended: ({ work }) => turns.ended(fileKey(work)),
        error: (error) => report('errors', `${name}: ${String(error)}`),
      },
    });
    return { name, group, resolver, conversions, turns };
  });
}
