import { type AgentKind, agentKind, openGate } from '../../../doubles/tiktok/pages/gate.ts';
import type { Extractor } from '../../../src/downloader/extractors/extractor.ts';
import { createTiktokExtractor } from '../../../src/downloader/extractors/tiktok/extractor.ts';
import type { Post } from '../../../src/downloader/post/post.ts';
import { dice } from '../../support/dice.ts';
import { type VirtualTime, withVirtualTime } from '../virtual-time.ts';
import { createYearPlatform, type PageRequest, type YearPlatform } from './platform.ts';
import { type Network, networks, type Period, periodOf, weeks } from './schedule.ts';

/** What the visitors of one network got in one week. */
export interface Week {
  readonly network: Network;
  readonly week: number;
  readonly period: Period;
  /** The gate is that of the week before, and lets a request through as often as the next. */
  readonly isSteady: boolean;
  readonly posts: number;
  readonly downloads: number;
  /** With a video of more than 720 pixels, and with captions. */
  readonly hd: number;
  readonly captions: number;
  /** Page requests, also those beside a post, and the most for one. */
  readonly pageRequests: number;
  readonly mostForOne: number;
  /** Page requests without those for the first post: a week has passed, and its jars are cold. */
  readonly warmRequests: number;
  /** Until the product knew of a change of the gate; null without one. */
  readonly noticed: Notice | null;
}

/** How long a change stayed unnoticed: until posts were read in the best way that the gate leaves. */
interface Notice {
  readonly requests: number;
  readonly seconds: number;
  /** Kinds of identities that opened, and how long until one of each was let in; without those that were not asked. */
  readonly opened: readonly {
    readonly kind: AgentKind;
    readonly requests: number;
    readonly seconds: number;
  }[];
}

const weekMs = 7 * 24 * 3_600_000;
/** Visitors of a busy hour: the gate does not care about the others. */
const meanPauseMs = 5_000;
/** Any moment before the cases' addresses expire, in ms since the epoch. */
const epochMs = 1_750_000_000_000;
/** Virtual time passes in such steps while a visitor waits. */
const stepMs = 50;
const kinds: readonly AgentKind[] = ['desktop', 'phone', 'honest'];

/**
 * Replays the year against the product's extractor, each network by itself.
 * @param posts on both networks and in all weeks together
 */
export async function replayYear(posts: number): Promise<readonly Week[]> {
  const each = Math.ceil(posts / (weeks * networks.length));
  const all: Week[] = [];
  for (const network of networks) all.push(...(await withVirtualTime((time) => replay(network, each, time))));
  return all;
}

async function replay(network: Network, posts: number, time: VirtualTime): Promise<Week[]> {
  const platform = createYearPlatform(time, periodOf(network, 0));
  const extractor = createTiktokExtractor({
    network: platform.network,
    now: () => epochMs + time.now(),
    monotonicNow: time.now,
    ownAgent: 'Clipferry/1.0 (+https://site.example)',
  });
  const pauses = dice(network.length);
  const found: Week[] = [];
  let number = 0;
  for (let week = 0; week < weeks; week += 1) {
    await time.run(week * weekMs);
    const before = platform.period;
    platform.period = periodOf(network, week);
    const reads: Reading[] = [];
    const beginning = platform.pageRequests.length;
    for (let post = 0; post < posts; post += 1) {
      number += 1;
      await time.run(time.now() + pauses.between(1_000, 2 * meanPauseMs - 1_000));
      reads.push(
        await readOne(extractor, platform, String(7_400_000_000_000_000_000n + BigInt(number)), time),
      );
    }
    const pageRequests = platform.pageRequests.slice(beginning);
    found.push({
      network,
      week,
      period: platform.period,
      isSteady: week > 0 && before === platform.period && (before.gate.passes ?? openGate.passes) === 10,
      posts,
      downloads: reads.filter(({ post }) => post !== null).length,
      hd: reads.filter(({ post }) => hasHd(post)).length,
      captions: reads.filter(({ post }) => hasCaptions(post)).length,
      pageRequests: pageRequests.length,
      mostForOne: mostForOne(reads, platform.pageRequests),
      warmRequests: platform.pageRequests.length - (reads[1]?.requestsBefore ?? beginning),
      noticed:
        week > 0 && before !== platform.period
          ? noticeOf(before, platform.period, reads, pageRequests)
          : null,
    });
  }
  return found;
}

/** Also those beside it, until the next visitor comes. */
function mostForOne(readings: readonly Reading[], requests: readonly PageRequest[]): number {
  const counts = readings.map(({ id, requestsBefore }, at) => {
    const own = requests.slice(requestsBefore, readings[at + 1]?.requestsBefore);
    return own.filter(({ post }) => post === id).length;
  });
  return Math.max(...counts);
}

/** What one visitor got. */
interface Reading {
  readonly id: string;
  readonly startedMs: number;
  /** Page requests since the start before it, and for it. */
  readonly requestsBefore: number;
  readonly requests: number;
  readonly post: Post | null;
  readonly firstPassed: boolean;
}

const hasHd = (post: Post | null) =>
  post?.videos.some(({ width, height }) => Math.min(width, height) > 720) ?? false;
const hasCaptions = (post: Post | null) => (post?.captions?.length ?? 0) > 0;

async function readOne(
  extractor: Extractor,
  { pageRequests }: YearPlatform,
  id: string,
  time: VirtualTime,
): Promise<Reading> {
  const [startedMs, requestsBefore] = [time.now(), pageRequests.length];
  let ended: { readonly post: Post | null } | null = null;
  void extractor.read({ platform: 'tiktok', id }, new AbortController().signal, `network ${id}`).then(
    (post) => {
      ended = { post };
    },
    () => {
      ended = { post: null };
    },
  );
  let post: Post | null = null;
  for (;;) {
    await time.run(time.now() + stepMs);
    if (ended === null) continue;
    ({ post } = ended);
    break;
  }
  return {
    ...{ id, startedMs, requestsBefore, post },
    requests: pageRequests.slice(requestsBefore).filter(({ post }) => post === id).length,
    firstPassed: pageRequests[requestsBefore]?.passed ?? false,
  };
}

/** Whether a kind of identities gets the post at all. */
function isOpen(kind: AgentKind, { gate }: Period): boolean {
  if ((gate[kind] ?? 'data') !== 'data') return false;
  // The own name speaks no HTTP/2.
  return kind === 'phone' ? gate.reflow !== 'no-item' : kind === 'desktop' || gate.http !== '2';
}

/** Whether a kind gets every encoding. */
const isWhole = (kind: AgentKind, period: Period) =>
  isOpen(kind, period) && !(kind === 'phone' && period.gate.reflow === 'plain');

/** Whether a visitor got a post in the best way that the gate leaves. */
function isBest({ post, requests, firstPassed }: Reading, period: Period): boolean {
  if (!isAnyOpen(period)) return requests === 0;
  return firstPassed && (hasHd(post) || !isAnyWhole(period));
}

function noticeOf(
  before: Period,
  period: Period,
  readings: readonly Reading[],
  requests: readonly PageRequest[],
): Notice {
  const [first] = readings;
  const until = readings.find((reading) => isBest(reading, period));
  if (first === undefined) throw new RangeError('a week needs posts');
  return {
    requests: (until?.requestsBefore ?? Number.POSITIVE_INFINITY) - first.requestsBefore,
    seconds: ((until?.startedMs ?? Number.POSITIVE_INFINITY) - first.startedMs) / 1000,
    opened: kinds
      .filter((kind) => isOpen(kind, period) && !isOpen(kind, before))
      .flatMap((kind) => {
        const index = requests.findIndex(({ userAgent, passed }) => passed && agentKind(userAgent) === kind);
        const found = requests[index];
        if (found === undefined) return [];
        return [{ kind, requests: index + 1, seconds: (found.atMs - first.startedMs) / 1000 }];
      }),
  };
}

/** Page requests a post in the steady weeks of each period, with warm jars. */
export function steadyShares(all: readonly Week[]): ReadonlyMap<Period, number> {
  const weeksOf = Map.groupBy(
    all.filter(({ isSteady }) => isSteady),
    ({ period }) => period,
  );
  const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
  return new Map(
    [...weeksOf].map(([period, list]) => [
      period,
      sum(list.map(({ warmRequests }) => warmRequests)) / sum(list.map(({ posts }) => posts - 1)),
    ]),
  );
}

/** Whether a page answers at all, and whether one with every encoding does. */
export const isAnyOpen = (period: Period) => kinds.some((kind) => isOpen(kind, period));
export const isAnyWhole = (period: Period) => kinds.some((kind) => isWhole(kind, period));
