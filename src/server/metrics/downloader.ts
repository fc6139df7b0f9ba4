import type { Logger } from 'pino';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ConversionObserver } from '../../downloader/conversions/conversions.ts';
import type { BreakerChange } from '../../downloader/extractors/readings.ts';
import type { UnreadableObserver } from '../../downloader/extractors/unreadable.ts';
import type { SoundRead } from '../../downloader/media/read-sound.ts';
import type { NetworkEvent } from '../../downloader/network/contracts.ts';
import type { EgressPool } from '../../downloader/network/egress/egress-pool.ts';
import type { PostResolver, ResolveEvent } from '../../downloader/posts/resolver.ts';
import { formatOf } from '../../downloader/tickets/ticket-file.ts';
import { withoutPosts } from '../../process/without-posts.ts';

/**
 * Turns what the downloader's parts report into metrics, and into log lines where an operator has to act.
 * @param waitingLimit how many conversions may wait
 */
export function createDownloaderMetrics(registry: Registry, logger: Logger, waitingLimit: number) {
  const registers = [registry];
  return {
    network: countRequests(registers),
    unreadable: countUnreadable(registers, logger),
    breaker: (change: BreakerChange) => logBreaker(logger, change),
    resolver: { resolved: countResolves(registers) },
    conversions: countConversions(registers, logger, waitingLimit),
    sounds: countSounds(registers, logger),
    /** Exposes every egress, if there are several. */
    watchEgresses(egresses: EgressPool) {
      if (egresses.states().length > 0) showEgresses(registers, egresses);
    },
    /** Exposes every strategy's circuit breaker and identities, and the jars, read at each scrape. */
    watchStrategies(resolver: PostResolver) {
      showStrategies(registers, resolver);
      showIdentities(registers, resolver);
    },
  };
}

function countRequests(registers: Registry[]) {
  const requests = new Counter({
    name: 'clipferry_platform_requests_total',
    help: 'Requests to the platforms by list of hosts, such as tiktok/page, outcome and status.',
    labelNames: ['hosts', 'outcome', 'status'],
    registers,
  });
  const received = new Counter({
    name: 'clipferry_platform_bytes_total',
    help: 'Body bytes received from the platform.',
    labelNames: ['hosts'],
    registers,
  });
  return ({ hosts, outcome, status, bytes }: NetworkEvent) => {
    requests.inc({ hosts, outcome, status });
    received.inc({ hosts }, bytes);
  };
}

const warnEveryMs = 3_600_000;

function countUnreadable(registers: Registry[], logger: Logger): UnreadableObserver {
  const unreadable = new Counter({
    name: 'clipferry_unreadable_answers_total',
    help: 'Answers about a post that could not be read, by what was missing or odd in them.',
    labelNames: ['strategy', 'shape'],
    registers,
  });
  const compared = new Counter({
    name: 'clipferry_embed_compared_total',
    help: 'Posts of which the embed page was compared with the page: the same file, or another, which may carry the watermark.',
    labelNames: ['file'],
    registers,
  });
  let warnedAt = Number.NEGATIVE_INFINITY;
  return {
    embedCompared({ isSame, ...post }) {
      compared.inc({ file: isSame ? 'same' : 'another' });
      if (isSame || performance.now() - warnedAt < warnEveryMs) return;
      warnedAt = performance.now();
      logger.warn(
        { compared: post },
        'the embed page has another file than the page: it may carry the watermark',
      );
    },
    answer: (labels) => unreadable.inc({ ...labels }),
    // A separate line: it names the post and not its requester.
    post: (found) => logger.warn({ unreadable: found }, 'a post is in a form that cannot be read yet'),
  };
}

/** An outage is a line for each strategy, and one for all; its end is one for each. */
function logBreaker(logger: Logger, change: BreakerChange): void {
  const { strategy, isOpen, reads, left, all, why } = change;
  const facts = { strategy, left, all, ...(why !== '' && { why: withoutPosts(why) }) };
  if (isOpen) logger.warn(facts, 'a circuit breaker has opened: its strategy fails');
  else logger.warn(facts, 'a circuit breaker has closed: its strategy works again');
  if (isOpen && reads && left === 0) logger.error({ all }, 'no strategy is left: no post can be read');
}

function countResolves(registers: Registry[]) {
  const resolves = new Counter({
    name: 'clipferry_resolves_total',
    help: 'Questions for a post by where the answer came from and what it was.',
    labelNames: ['source', 'outcome', 'strategy'],
    registers,
  });
  const seconds = new Histogram({
    name: 'clipferry_resolve_seconds',
    help: 'Time to an answer about a post.',
    labelNames: ['source'],
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10],
    registers,
  });
  return ({ source, outcome, durationMs, readBy }: ResolveEvent) => {
    resolves.inc({ source, outcome, strategy: readBy ?? 'none' });
    seconds.observe({ source }, durationMs / 1000);
  };
}

function countConversions(registers: Registry[], logger: Logger, waitingLimit: number): ConversionObserver {
  const requested = new Counter({
    name: 'clipferry_conversions_asked_total',
    help: 'Converted files given out: of a conversion started for it, joined, or kept.',
    labelNames: ['how'],
    registers,
  });
  const ended = new Counter({
    name: 'clipferry_conversions_ended_total',
    help: 'Conversions by how they ended.',
    labelNames: ['format', 'outcome', 'failure'],
    registers,
  });
  const conversionSeconds = new Histogram({
    name: 'clipferry_conversion_seconds',
    help: 'Time of a conversion, waiting not included.',
    labelNames: ['format'],
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 120],
    registers,
  });
  const queue = new Gauge({
    name: 'clipferry_conversions',
    help: 'Conversions now, waiting and running.',
    labelNames: ['state'],
    registers,
  });
  new Gauge({
    name: 'clipferry_conversions_waiting_limit',
    help: 'How many conversions may wait.',
    registers,
  }).set(waitingLimit);
  return {
    requested: (how) => requested.inc({ how }),
    waiting: (count) => queue.set({ state: 'waiting' }, count),
    running: (count) => queue.set({ state: 'running' }, count),
    ended({ work, outcome, seconds, failure, kept }) {
      ended.inc({ format: formatOf(work), outcome, failure: failure?.key ?? 'none' });
      conversionSeconds.observe({ format: formatOf(work) }, seconds);
      if (outcome === 'failed') logger.warn({ err: failure, work }, 'conversion failed');
      else logger.debug({ work, outcome, seconds, kept }, 'conversion ended');
    },
    error: (error) => logger.error({ err: error }, 'error in a conversion'),
  };
}

function countSounds(registers: Registry[], logger: Logger) {
  const read = new Counter({
    name: 'clipferry_sounds_read_total',
    help: 'Sounds read from videos by why their rest came by one read of the file: none, refused, slow.',
    labelNames: ['fallback'],
    registers,
  });
  const requested = new Counter({
    name: 'clipferry_sound_requests_total',
    help: 'Requests for the sound of videos, their tables not included.',
    registers,
  });
  const saved = new Counter({
    name: 'clipferry_sound_bytes_saved_total',
    help: 'Bytes of videos that were not fetched for their sound.',
    registers,
  });
  return ({ requests, savedBytes, fallback }: SoundRead) => {
    read.inc({ fallback: fallback ?? 'none' });
    requested.inc(requests);
    saved.inc(savedBytes);
    if (fallback !== null) logger.info({ fallback, requests }, 'a sound was finally read in one piece');
  };
}

function showEgresses(registers: Registry[], egresses: EgressPool): void {
  new Gauge({
    name: 'clipferry_egress_resting_seconds',
    help: 'Seconds for which an egress to the platform still rests, so that others are preferred; 0 when it does not.',
    labelNames: ['egress', 'proxy'],
    registers,
    collect() {
      for (const { id, label, restsForMs } of egresses.states())
        this.set({ egress: id, proxy: label }, restsForMs / 1000);
    },
  });
  new Gauge({
    name: 'clipferry_egress_answers',
    help: 'Readings through each egress to the platform since the start: answered, limited, challenged or failed.',
    labelNames: ['egress', 'proxy', 'outcome'],
    registers,
    collect() {
      for (const { id, label, answered, limited, challenged, failed } of egresses.states())
        for (const [outcome, count] of Object.entries({ answered, limited, challenged, failed }))
          this.set({ egress: id, proxy: label, outcome }, count);
    },
  });
}

function showStrategies(registers: Registry[], resolver: PostResolver): void {
  new Gauge({
    name: 'clipferry_strategy_open',
    help: 'Whether the circuit breaker of a strategy is open: 0 closed, 0.5 half open, 1 open.',
    labelNames: ['strategy'],
    registers,
    collect() {
      for (const { name, state } of resolver.states())
        this.set({ strategy: name }, { closed: 0, 'half-open': 0.5, open: 1 }[state]);
    },
  });
  new Gauge({
    name: 'clipferry_strategy_answers',
    help: 'Results of each strategy since the start.',
    labelNames: ['strategy', 'outcome'],
    registers,
    collect() {
      for (const { name, successes, failures } of resolver.states()) {
        this.set({ strategy: name, outcome: 'success' }, successes);
        this.set({ strategy: name, outcome: 'failure' }, failures);
      }
    },
  });
}

function showIdentities(registers: Registry[], resolver: PostResolver): void {
  const labelNames = ['strategy', 'identity', 'agent', 'http'] as const;
  new Gauge({
    name: 'clipferry_user_agent_answers',
    help: 'Answers to each identity and HTTP version since the start: those meant for its like, and those that turned it away.',
    labelNames: [...labelNames, 'outcome'],
    registers,
    collect() {
      for (const { answered, refused, resting: _, ...door } of resolver.agents()) {
        this.set({ ...door, outcome: 'answered' }, answered);
        this.set({ ...door, outcome: 'refused' }, refused);
      }
    },
  });
  new Gauge({
    name: 'clipferry_user_agent_resting',
    help: 'Whether an identity was turned away lately by this HTTP version, so that others are taken before it.',
    labelNames,
    registers,
    collect() {
      for (const { strategy, identity, agent, http, resting } of resolver.agents())
        this.set({ strategy, identity, agent, http }, resting ? 1 : 0);
    },
  });
  showJars(registers, resolver);
}

function showJars(registers: Registry[], resolver: PostResolver): void {
  const gauge = (name: string, help: string, of: 'cookies' | 'ageS') =>
    new Gauge({
      ...{ name, help, registers },
      labelNames: ['egress', 'identity'],
      collect() {
        // Jars that were thrown away are gone.
        this.reset();
        for (const jar of resolver.jars())
          this.set({ egress: jar.egress ?? '', identity: jar.identity }, jar[of]);
      },
    });
  gauge('clipferry_jar_cookies', "Cookies of each identity's jar, by egress.", 'cookies');
  gauge('clipferry_jar_age_seconds', "Age of each identity's jar, by egress.", 'ageS');
}
