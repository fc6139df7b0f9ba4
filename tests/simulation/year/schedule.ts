import type { GateChange } from '../../../doubles/tiktok/pages/gate.ts';

/** The kinds of addresses from which a site asks; the gate treats them differently. */
export const networks = ['residential', 'datacentre'] as const;
export type Network = (typeof networks)[number];

/** The gate in front of one network's pages from a week on. */
export interface Period {
  /** From 0 to 51; week 0 begins on 1 October. */
  readonly fromWeek: number;
  readonly what: string;
  /** As it differs from an open gate. */
  readonly gate: GateChange;
  /** First and last version of Chrome that get the maintenance page. */
  readonly blockedChrome?: readonly [number, number];
  readonly player?: 'shut';
  readonly embed?: 'shut';
}

export const weeks = 52;

const pagesShut = { desktop: 'challenge', phone: 'challenge', honest: 'challenge' } as const;

/**
 * A year of the gate, from public reports of October 2025 to October 2026. Dates and networks are theirs where they name
 * them; the weeks in which no page opens are the worst of the peers' reports.
 */
const year: Readonly<Record<Network, readonly Period[]>> = {
  residential: [
    { fromWeek: 0, what: 'all open', gate: {} },
    { fromWeek: 9, what: 'HTTP/1.1 alone', gate: { http: '1.1' } },
    { fromWeek: 13, what: 'desktop challenged', gate: { desktop: 'challenge' } },
    { fromWeek: 17, what: 'all pages challenged, embed shut', gate: pagesShut, embed: 'shut' },
    { fromWeek: 18, what: 'all open', gate: {} },
    { fromWeek: 24, what: "headers must agree with the agent's", gate: { consistent: true } },
    { fromWeek: 28, what: 'HTTP/2 alone', gate: { http: '2', honest: 'challenge' } },
    { fromWeek: 33, what: 'phone forbidden', gate: { phone: 'forbidden' } },
    { fromWeek: 38, what: 'seven of ten pass', gate: { passes: 7 } },
    { fromWeek: 40, what: 'cold jars get a shell', gate: { coldJar: 'shell' } },
    { fromWeek: 43, what: 'Chrome 140 to 152 in maintenance', gate: {}, blockedChrome: [140, 152] },
    { fromWeek: 45, what: 'desktop gets a stub', gate: { desktop: 'stub', honest: 'stub' } },
    {
      fromWeek: 47,
      what: "the phone's page lacks its item, cold jars get a shell",
      gate: { reflow: 'no-item', coldJar: 'shell', warmedBy: 'home', consistent: true },
    },
    { fromWeek: 50, what: 'desktop sent to log in', gate: { desktop: 'login', honest: 'challenge' } },
  ],
  datacentre: [
    { fromWeek: 0, what: 'all open', gate: {} },
    {
      fromWeek: 11,
      what: 'desktop and phone challenged',
      gate: { desktop: 'challenge', phone: 'challenge' },
    },
    { fromWeek: 15, what: 'all pages challenged, player shut', gate: pagesShut, player: 'shut' },
    { fromWeek: 16, what: 'all pages challenged', gate: pagesShut },
    { fromWeek: 17, what: 'own name alone', gate: { desktop: 'challenge', phone: 'challenge' } },
    { fromWeek: 23, what: 'own name challenged', gate: { honest: 'challenge', consistent: true } },
    { fromWeek: 31, what: 'HTTP/2 alone', gate: { http: '2' } },
    {
      fromWeek: 34,
      what: 'all pages refused',
      gate: { desktop: 'shell', phone: 'forbidden', honest: 'shell' },
    },
    {
      fromWeek: 35,
      what: 'the phone alone, without encodings',
      gate: { desktop: 'shell', honest: 'challenge', reflow: 'plain' },
    },
    { fromWeek: 38, what: 'desktop opens beside it', gate: { honest: 'challenge', reflow: 'plain' } },
    { fromWeek: 43, what: 'Chrome 140 to 149 in maintenance', gate: {}, blockedChrome: [140, 149] },
    { fromWeek: 45, what: 'cold jars get a shell', gate: { coldJar: 'shell' } },
    { fromWeek: 50, what: 'desktop challenged', gate: { desktop: 'challenge', honest: 'challenge' } },
  ],
};

/** The period of a week. @throws RangeError before the first one */
export function periodOf(network: Network, week: number): Period {
  const period = year[network].findLast(({ fromWeek }) => fromWeek <= week);
  if (period === undefined) throw new RangeError(`no period for week ${week}`);
  return period;
}
