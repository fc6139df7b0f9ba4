/**
 * What it costs that instances have things in common: CPU of the product for each link, kept page and mp3 on three
 * instances and two converters with Redis, PostgreSQL and an S3 store, against one instance alone. Links and pages are
 * asked of one instance after the other, so that each has as much to do as the one alone; for an mp3 all programs count.
 * What Redis, PostgreSQL and the store take themselves is not in it.
 */
import { startS3Double } from '../doubles/s3/server.ts';
import { prepareInstances } from '../tests/support/instances.ts';
import { type Journey, startJourney } from '../tests/support/journey.ts';
import { numberedId } from '../tests/support/platform.ts';
import type { RunningProduct } from '../tests/support/product.ts';
import { inTurns } from './support/in-turns.ts';
import { load } from './support/load.ts';
import { childrenEnded, cpuMs } from './support/process-cost.ts';
import { median, print } from './support/report.ts';

/** Links, and sounds, until the compiler of each instance has seen everything. */
const warmUp = 1500;
const warmUpSounds = 150;
const rounds = 7;
/** Of each instance: one that is asked for less has more of its rest in each request. */
const links = 300;
const atOnce = 4;
const keptPages = 1500;
const sounds = 8;
const longSounds = ['long-60s', 'long-60s-hd', 'ten-minutes', 'fine-interleave'];
const idleMs = 10_000;
const page = '/tiktok-downloader';
const headers = { 'accept-encoding': 'gzip, br' };
const bound = 1.15;
const keptBound = 1.05;

/** A site, however many programs it is. */
interface Site {
  readonly instances: readonly Journey[];
  readonly programs: readonly RunningProduct[];
}

const instances = await prepareInstances();
const { platform } = instances;
const s3 = await startS3Double();
// Behind a proxy both: to read what it says of a visitor costs the same, and a twentieth of a kept page.
const settings = { RESOLVES_PER_MINUTE: '100000', FILES_PER_MINUTE: '100000', TRUST_PROXY: '127.0.0.1' };
const env = { ...settings, ...s3.environment };
const many = await Promise.all(
  Array.from({ length: 3 }, () => instances.start({ CONVERSIONS: '0', ...env })),
);
const converters = await Promise.all(
  Array.from({ length: 2 }, () => instances.startConverter({ CONVERSIONS: '1', ...env })),
);
const single = await startJourney({ platform, env: settings });
const alone: Site = { instances: [single], programs: [single.product] };
const together: Site = {
  instances: many,
  programs: [...many.map(({ product }) => product), ...converters],
};

let post = 0;
const nextPost = () => {
  post += 1;
  return `https://www.tiktok.com/@ferry.captain/video/${numberedId(post)}`;
};

/** CPU of programs while something is done, in ms. */
async function cost(programs: readonly RunningProduct[], work: () => Promise<unknown>): Promise<number> {
  const cpu = () => programs.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
  const before = cpu();
  await work();
  // What an encoder's process used is counted when it has ended.
  for (const { pid } of programs) await childrenEnded(pid);
  return cpu() - before;
}

/** The cost of one thing on each instance of a site, in ms: the mean. */
async function costOfEach(
  { instances: all }: Site,
  count: number,
  work: (journey: Journey) => Promise<unknown>,
): Promise<number> {
  let sum = 0;
  for (const journey of all) sum += await cost([journey.product], () => work(journey));
  return sum / all.length / count;
}

const nth = ({ instances: all }: Site, n: number): Journey => all[n % all.length] as Journey;

async function resolve({ resolve: ask }: Journey): Promise<void> {
  const { status, answer } = await ask(nextPost());
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(answer)}`);
}

/** Resolved by one, saved from the next, each time by another visitor: the second file of one waits for the first. */
async function save(site: Site, n: number, link: string): Promise<void> {
  const visitor = { headers: { 'x-forwarded-for': `192.0.2.${n % 256}` } };
  const response = await nth(site, n + 1).get(await nth(site, n).href(link, 'mp3'), visitor);
  if (response.status !== 200) throw new Error(`answered ${response.status}`);
  await response.arrayBuffer();
}

/** Measures both sites in turns, the first round for the compiler, and prints the middle of the others. */
async function compare(what: string, atMost: number, costOf: (site: Site) => Promise<number>): Promise<void> {
  const measured: Record<'alone' | 'together', number[]> = { alone: [], together: [] };
  for (let round = 0; round <= rounds; round += 1) {
    measured.alone.push(await costOf(alone));
    measured.together.push(await costOf(together));
  }
  const value = median(measured.together.slice(1));
  print({ what, value, unit: 'ms', baseline: median(measured.alone.slice(1)), atMost });
}

for (const journey of [...alone.instances, ...together.instances])
  await inTurns(warmUp, atOnce, () => resolve(journey));
await compare('a link', bound, (site) =>
  costOfEach(site, links, (journey) => inTurns(links, atOnce, () => resolve(journey))),
);
await compare('a kept page', keptBound, (site) =>
  costOfEach(site, keptPages, ({ product }) => load(product, keptPages, () => page, headers)),
);

const saveMany = (site: Site, count: number) => inTurns(count, 2, (n) => save(site, n, nextPost()));
for (const site of [alone, together]) await saveMany(site, warmUpSounds * site.instances.length);
await compare('an mp3 of 7 seconds', bound, async (site) => {
  const { instances: all, programs } = site;
  const count = sounds * all.length;
  return (await cost(programs, () => saveMany(site, count))) / count;
});

const rest = () => new Promise((resolve) => setTimeout(resolve, idleMs));
const long = async (site: Site) => {
  for (const [n, name] of longSounds.entries()) await save(site, n, name);
};
await rest();
print({
  what: `mp3s of ${longSounds.join(', ')}`,
  value: await cost(together.programs, () => long(together)),
  unit: 'ms',
  baseline: await cost(alone.programs, () => long(alone)),
  atMost: bound,
});

await rest();
for (const [name, site] of [
  ['alone', alone],
  ['together', together],
] as const)
  print({
    what: `at rest, ${name}`,
    value: (await cost(site.programs, rest)) / (idleMs / 1000) / site.programs.length,
    unit: 'ms a second and program',
  });

await single.stop();
await instances.stop();
await s3.close();
