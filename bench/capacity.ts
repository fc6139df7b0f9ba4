/**
 * What the site needs for ten thousand, a million and a hundred million downloads a day, and what breaks first: from what
 * things cost in this run, and from what visitors do, what a machine can take and what it costs, which are options.
 */
import { measureCosts } from './capacity/measure.ts';
import type { Costs } from './capacity/model.ts';
import { describeOptions, readOptions } from './capacity/options.ts';
import { breakingTable, readable, volumeTable } from './capacity/table.ts';

const volumes = [10_000, 1_000_000, 100_000_000];

function describeCosts({ redis, writes, ...costs }: Costs): string[] {
  const line = ([name, value]: [string, number]) => `  ${name} ${readable(value)}`;
  return [
    ...Object.entries(costs).map(line),
    ...(redis === null
      ? ['  no Redis']
      : Object.entries(redis).map(([name, value]) => line([`redis.${name}`, value]))),
    ...(writes === null
      ? ['  no PostgreSQL']
      : Object.entries(writes).map(([name, value]) => line([`writes.${name}`, value]))),
  ];
}

const options = readOptions(process.argv.slice(2));
const { mix, limits, prices } = options;
const since = performance.now();
const costs = await measureCosts((step) =>
  console.error(`${((performance.now() - since) / 1000).toFixed(0)} s: ${step}`),
);

const parts: readonly (readonly [string, readonly string[]])[] = [
  [
    `Measured in ${((performance.now() - since) / 1000).toFixed(0)} s, CPU in ms of one core`,
    describeCosts(costs),
  ],
  ['Assumed (options)', describeOptions(options)],
  ['At the peak', volumeTable(volumes, costs, mix, limits, prices)],
  ['What breaks first, with one of each', breakingTable(costs, mix, limits)],
];
for (const [title, lines] of parts) console.log(`${title}\n${lines.join('\n')}\n`);
