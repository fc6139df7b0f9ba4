/**
 * Simulates the product's circuit breakers, conversion queues and shared readings in virtual time: several instances, a
 * platform with outages, challenges and limits, and visitors, all drawn from a seed. No seed may leave a visitor
 * without an answer, let one be overtaken, or flood the platform. `--first 5001 --seeds 5000` begins later; `--seed 7`
 * runs one alone, and prints the scenario.
 */
import { parseArgs } from 'node:util';
import { type Run, simulate } from './run.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
});
const first = Number(values.seed ?? values.first);
const last = values.seed === undefined ? first + Number(values.seeds) - 1 : first;
if (!(Number.isSafeInteger(first) && Number.isSafeInteger(last) && last >= first))
  throw new Error('--seeds, --first and --seed are whole numbers from 1');

const shownViolations = 5;

function show({ scenario, violations }: Run): void {
  const { visits, ...rest } = scenario;
  console.log(`seed ${scenario.seed}: ${JSON.stringify(rest)}`);
  for (const visit of visits) console.log(`  ${JSON.stringify(visit)}`);
  for (const { rule, atMs, what } of violations.slice(0, shownViolations))
    console.log(`  VIOLATED ${rule}, ${Math.round(atMs)} ms: ${what}`);
  if (violations.length > shownViolations) console.log(`  and ${violations.length - shownViolations} more`);
}

const totals = { questions: 0, readings: 0, conversions: 0, openings: 0, trials: 0 };
const outcomes = new Map<string, number>();
let broken = 0;
let longestAnswerMs = 0;
let longestTurnMs = 0;
let mostRequests = 0;
let most = { requests: 0, allowed: 0, share: 0 };
const since = performance.now();
for (let seed = first; seed <= last; seed += 1) {
  const run = await simulate(seed);
  for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += run[name];
  for (const [what, count] of run.outcomes) outcomes.set(what, (outcomes.get(what) ?? 0) + count);
  longestAnswerMs = Math.max(longestAnswerMs, run.longestAnswerMs);
  longestTurnMs = Math.max(longestTurnMs, run.longestTurnMs);
  mostRequests = Math.max(mostRequests, run.mostRequests);
  const share = run.mostRequests / Math.max(1, run.allowedRequests);
  if (share > most.share) most = { requests: run.mostRequests, allowed: run.allowedRequests, share };
  if (run.violations.length > 0) broken += 1;
  if (run.violations.length > 0 || values.seed !== undefined) show(run);
}

const seeds = last - first + 1;
console.log(
  `${seeds} seeds in ${((performance.now() - since) / 1000).toFixed(0)} s:`,
  Object.entries(totals)
    .map(([name, count]) => `${count} ${name}`)
    .join(', '),
);
console.log(
  [...outcomes]
    .toSorted(([, one], [, other]) => other - one)
    .map(([what, count]) => `${what} ${count}`)
    .join(', '),
);
console.log(`seeds that broke a rule: ${broken}`);
console.log(`longest wait for a post: ${Math.round(longestAnswerMs)} ms`);
console.log(`longest wait for a turn to convert: ${Math.round(longestTurnMs / 1000)} s`);
console.log(`most requests by one way in a second: ${mostRequests}`);
console.log(`most of what the rules allowed then: ${most.requests} of ${most.allowed}`);
if (broken > 0) process.exitCode = 1;
