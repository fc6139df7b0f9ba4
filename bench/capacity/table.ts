import { breakingPoints } from './breaking.ts';
import {
  type Costs,
  type Limits,
  type Load,
  loadOf,
  type Mix,
  type Prices,
  type Purchase,
  purchaseFor,
} from './model.ts';

/** A number that people can read: three digits that count, thousands apart. */
export function readable(value: number | null): string {
  if (value === null) return 'not measured';
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return new Intl.NumberFormat('en', { maximumFractionDigits: Math.min(digits, 6) }).format(
    Number(value.toPrecision(3)),
  );
}

type Row = readonly [what: string, value: (load: Load, purchase: Purchase) => number | null];

const rows: readonly Row[] = [
  ['downloads/s at the peak', (load) => load.downloadsPerSecond],
  ['cores, whole', (_, { cores }) => cores],
  ['  busy with pages', ({ pageCores }) => pageCores],
  ['  busy with links', ({ linkCores }) => linkCores],
  ['  busy with files', ({ fileCores }) => fileCores],
  ['  busy with conversions', ({ converterCores }) => converterCores],
  ['instances', ({ instances }) => instances],
  ['converters (conversions at once)', (_, { converters }) => converters],
  ['machines', (_, { machines }) => machines],
  ['downloads under way', ({ downloadsAtOnce }) => downloadsAtOnce],
  ['memory, GB', ({ memoryGb }) => memoryGb],
  ['in, Gbit/s', ({ inGbit }) => inGbit],
  ['out, Gbit/s', ({ outGbit }) => outGbit],
  ['out, TB a month', (_, { trafficTb }) => trafficTb],
  ['Redis, commands/s, if there is one', ({ redisPerSecond }) => redisPerSecond],
  ['database, rows written/s', ({ writesPerSecond }) => writesPerSecond],
  ['platform, pages/s', ({ platformPerSecond }) => platformPerSecond],
  ['addresses to the platform', (_, { addresses }) => addresses],
  ['S3, GB', ({ storageGb }) => storageGb],
  ['euros a month', (_, { euros }) => euros],
];

/** What each volume takes, a line for each resource. */
export function volumeTable(
  volumes: readonly number[],
  costs: Costs,
  mix: Mix,
  limits: Limits,
  prices: Prices,
): readonly string[] {
  const columns = volumes.map((volume) => {
    const load = loadOf(volume, costs, mix, limits);
    return { load, purchase: purchaseFor(load, mix, limits, prices) };
  });
  const line = (what: string, cells: readonly string[]) =>
    what.padEnd(34) + cells.map((cell) => cell.padStart(14)).join('');
  return [
    line('downloads a day', volumes.map(readable)),
    ...rows.map(([what, value]) =>
      line(
        what,
        columns.map(({ load, purchase }) => readable(value(load, purchase))),
      ),
    ),
  ];
}

/** What breaks first, and what comes then. */
export function breakingTable(costs: Costs, mix: Mix, limits: Limits): readonly string[] {
  return breakingPoints(costs, mix, limits).map(
    ({ name, remedy, downloadsPerDay }, at) =>
      `${at + 1}. ${name}: at ${readable(downloadsPerDay)} downloads a day; then ${remedy}`,
  );
}
