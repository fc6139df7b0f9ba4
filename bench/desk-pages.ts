/**
 * The cost of the desk's pages of figures with a year of sums, and what visitors of 200 pages a second notice while an
 * operator reads them without a break, against the same without an operator.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import { pino } from 'pino';
import { readEnvironment } from '../src/process/environment.ts';
import { openDatabase } from '../src/stores/open/database.ts';
import type { Subject } from '../src/stores/tally/subjects.ts';
import { unitOf } from '../src/stores/tally/units.ts';
import { startProduct } from '../tests/support/product.ts';
import { cpuMs } from './support/process-cost.ts';
import { print } from './support/report.ts';

const password = 'correct horse battery staple';
const days = 396;
const hours = 31 * 24;
const months = 13;
const rounds = 8;
/** CPU time of the thread, for a page. */
const mostMs = 50;

const strategies = ['page', 'player', 'embed', 'reflow', 'ytdlp'].map((name) => `tiktok/${name}`);
const outcomes = [
  ...['ok', 'post_gone', 'post_private', 'post_age_restricted', 'post_region_blocked', 'post_unreadable'],
  ...['platform_blocked', 'platform_throttled', 'platform_timeout', 'platform_failed', 'platform_changed'],
];
const formats = ['mp4', 'mp4-hd', 'mp3', 'm4a', 'jpg', 'zip', 'mp4-slide', 'mp4-slideshow'];
const ends = ['complete', 'incomplete', ...outcomes.slice(5)];
const languages = Array.from({ length: 24 }, (_, at) => `l${at}`);
const pages = Array.from({ length: 40 }, (_, at) => `page-${at}`);
const buckets = ['100', '250', '500', '1000', '2000', '4000', '8000', 'more'];
const events = Array.from({ length: 60 }, (_, at) => `event-${at}`);

const pairs = (names: readonly string[], details: readonly string[]) =>
  names.flatMap((name) => details.map((detail) => ({ name, detail })));

/** A busy site: each possible sum occurs each hour. */
const rowsOf: Readonly<Partial<Record<Subject, readonly { name: string; detail: string }[]>>> = {
  strategy: pairs(strategies, outcomes),
  agent: pairs(
    strategies.flatMap((one) =>
      ['Chrome 151, Windows', 'Firefox 145, Linux', 'Chrome 138, Windows'].map((agent) => `${one} ${agent}`),
    ),
    outcomes,
  ),
  egress: pairs(
    Array.from({ length: 10 }, (_, at) => `socks5://proxy-${at}:1080`),
    outcomes,
  ),
  post: pairs(['cache', 'joined', 'shared', 'read', 'again'], outcomes),
  download: pairs(formats, ends),
  download_language: pairs(languages, ['complete', 'other']),
  download_page: pairs(pages, ['complete', 'other']),
  first_byte: pairs(formats, buckets),
  answer: pairs(['2xx', '3xx', '4xx', '5xx'], ['']),
};
const dailyOnly = {
  view: pairs(pages, ['']),
  event: pairs(events.slice(0, 12), events.slice(0, 50)),
  visitor: pairs([''], ['']),
  visit: pairs([''], ['']),
};

const folder = mkdtempSync(join(tmpdir(), 'clipferry-bench-'));
const environment = readEnvironment({ DATA_DIR: folder });
const database = await openDatabase(environment, pino({ level: 'silent' }));
const { query } = database;
const today = unitOf('day', Date.now());
const thisHour = unitOf('hour', Date.now());
const thisMonth = unitOf('month', Date.now());
let rows = 0;
await query.transaction().execute(async (transaction) => {
  for (const [unit, last, count] of [
    ['hour', thisHour, hours],
    ['day', today, days],
    ['month', thisMonth, months],
  ] as const)
    for (let at = last - count + 1; at <= last; at++) {
      const ofTime = { ...rowsOf, ...(unit !== 'hour' && dailyOnly) };
      const values = Object.entries(ofTime).flatMap(([subject, names]) =>
        names.map((one) => ({ subject, ...one, total: 1 + Math.floor(Math.random() * 1000), at })),
      );
      rows += values.length;
      for (let from = 0; from < values.length; from += 200) {
        const some = values.slice(from, from + 200);
        await sql`insert into tally (subject, unit, name, detail, total, at, last_at)
          values ${sql.join(some.map((v) => sql`(${v.subject}, ${unit}, ${v.name}, ${v.detail}, ${v.total}, ${v.at}, 0)`))}`.execute(
          transaction,
        );
      }
    }
});
print({ what: 'rows of a year', value: rows, unit: 'rows' });

await database.close();

const product = await startProduct({
  dataFolder: folder,
  env: { OPERATOR_PASSWORD: password, PAGE_CACHE: '1', PAGES_PER_MINUTE: '1000000' },
});
const logIn = await fetch(`${product.origin}/operator/log-in`, {
  method: 'POST',
  redirect: 'manual',
  headers: { 'sec-fetch-site': 'same-origin' },
  body: new URLSearchParams({ password }),
});
const cookie = logIn.headers
  .getSetCookie()
  .map((line) => line.split(';')[0])
  .join('; ');
const desk = async (path: string) => {
  const before = performance.now();
  const answer = await fetch(product.origin + path, { headers: { cookie } });
  const { length } = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return { ms: performance.now() - before, length };
};
const paths = [
  '/operator/now',
  '/operator/use?period=day',
  '/operator/use?period=week',
  '/operator/use?period=year',
];
/** A page caches what it has read; afterwards it reads it again. */
const keptMs = 5100;
const costs = new Map(paths.map((path) => [path, { cpu: 0, times: [] as number[], length: 0 }]));
// The first round loads the code that renders them.
for (let round = 0; round <= rounds; round++) {
  for (const [path, cost] of costs) {
    const before = cpuMs(product.pid);
    const { ms, length } = await desk(path);
    if (round === 0) continue;
    cost.cpu += (cpuMs(product.pid) - before) / rounds;
    cost.times.push(ms);
    cost.length = length;
  }
  await new Promise((resolve) => setTimeout(resolve, keptMs));
}
for (const [path, { cpu, times, length }] of costs) {
  print({ what: `CPU of ${path}, read anew`, value: cpu, unit: 'ms', atMost: mostMs });
  const [middle = 0] = times.sort((one, other) => one - other).slice(Math.floor(rounds / 2));
  print({ what: `${path}, ${Math.round(length / 1000)} kB`, value: middle, unit: 'ms' });
}

/** 200 pages a second for a while. @returns response times, sorted, in ms */
async function visit(beside: boolean): Promise<readonly number[]> {
  const until = performance.now() + 5000;
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const operator = (async () => {
    let pages = 0;
    // As fast as a person can press a key, all the time.
    while (beside && performance.now() < until) {
      await desk(pages++ % 2 === 0 ? '/operator/now' : '/operator/use?period=year');
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  })();
  for (let at = performance.now(); at < until; at += 5) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
    const before = performance.now();
    pending.push(
      fetch(`${product.origin}/de`, { headers: { accept: 'text/html' } }).then(async (answer) => {
        await answer.arrayBuffer();
        times.push(performance.now() - before);
      }),
    );
  }
  await Promise.all([...pending, operator]);
  return times.sort((one, other) => one - other);
}
const at = (times: readonly number[], share: number) => times[Math.floor(times.length * share)] ?? 0;
await visit(false);
const ratios: number[] = [];
for (let turn = 0; turn < 3; turn++) {
  const alone = await visit(false);
  const beside = await visit(true);
  ratios.push(at(beside, 0.5) / at(alone, 0.5));
  print({
    ...{ what: '200 pages a second beside the desk, 99 of 100', unit: 'ms' },
    ...{ value: at(beside, 0.99), baseline: at(alone, 0.99) },
  });
}
print({
  ...{ what: 'median of a page beside the desk, of that alone', unit: 'times' },
  ...{ value: ratios.toSorted((one, other) => one - other)[1] ?? 0, atMost: 1.2 },
});
await product.stop();
rmSync(folder, { recursive: true, force: true });
