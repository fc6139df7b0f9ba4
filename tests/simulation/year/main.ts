/** Replays a year of the platform's gate against the product's extractor: `--posts 10000`. Prints a row for each period. */
import { parseArgs } from 'node:util';
import { replayYear, steadyShares, type Week } from './replay.ts';

const { values } = parseArgs({ options: { posts: { type: 'string', default: '10000' } } });
const since = process.cpuUsage();
const weeks = await replayYear(Number(values.posts));
const sum = (list: readonly Week[], of: (week: Week) => number) =>
  list.reduce((total, week) => total + of(week), 0);

const columns = [13, 48, 6, 10, 6, 9, 9, 5, 12];
const row = (...cells: readonly (string | number)[]) =>
  console.log(
    cells
      .map((cell, at) => String(cell).padEnd(columns[at] ?? 0))
      .join(' ')
      .trimEnd(),
  );
row('network, week', 'gate', 'posts', 'downloads', 'HD', 'captions', 'requests', 'most', 'noticed after');
for (const [at, { network, week, period, noticed }] of weeks.entries()) {
  if (week !== period.fromWeek) continue;
  const next = weeks.findIndex((one, index) => index > at && one.period !== period);
  const list = weeks.slice(at, next === -1 ? undefined : next);
  const posts = sum(list, (one) => one.posts);
  row(
    ...[`${network.slice(0, 8)} ${week}`, period.what, posts],
    ...[sum(list, (one) => one.downloads), sum(list, (one) => one.hd), sum(list, (one) => one.captions)],
    (sum(list, (one) => one.pageRequests) / posts).toFixed(3),
    Math.max(...list.map(({ mostForOne }) => mostForOne)),
    noticed === null
      ? ''
      : [`${noticed.requests} requests, ${noticed.seconds.toFixed(0)} s`]
          .concat(
            noticed.opened.map((one) => `${one.kind} open ${one.requests}, ${one.seconds.toFixed(0)} s`),
          )
          .join('; '),
  );
}
const steady = Math.max(...steadyShares(weeks).values());
const { user, system } = process.cpuUsage(since);
console.log(
  `${sum(weeks, ({ posts }) => posts)} posts, ${sum(weeks, ({ downloads }) => downloads)} downloads;`,
  `steady weeks: ${steady.toFixed(3)} page requests`,
  `a post at most; ${((user + system) / 1e6).toFixed(1)} s of CPU`,
);
