import { expect, test } from 'vitest';
import { redactionsFor } from './clean-envelope.ts';
import { secretsOf } from './secrets.ts';
import {
  brokenRecording,
  busyEvents,
  clean,
  cookies,
  envelope,
  fill,
  largestBodies,
  largestRecordings,
  recording,
  requestWith,
  steps,
} from './testing/large-reports.ts';

/**
 * What a request may use of the one thread that answers all of them, in units of reading and writing the largest plain
 * report: some 50 ms when that takes 3 or 4. A core that other programs use is slower at both.
 */
const mostTimes = 15;

/** The CPU time of this thread, in ms, whatever else the machine does meanwhile. */
function workMs(task: () => void): number {
  const { user, system } = process.threadCpuUsage();
  task();
  const { user: laterUser, system: laterSystem } = process.threadCpuUsage();
  return (laterUser - user + laterSystem - system) / 1000;
}

const plain = `[${fill((n) => `{"id":${n},"textContent":"some words of a page","attributes":{"class":"a b"}}`)}]`;
const readPlain = () => void JSON.stringify(JSON.parse(plain));

/** Not worth a comparison on any machine. */
const littleMs = 10;

/** The work of this thread as a multiple of that for a plain report; the best of five if the first took too long. */
function timesOf(task: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && best >= mostTimes; tries += 1) {
    const ms = workMs(task);
    best = ms < littleMs ? 0 : Math.min(best, ms / workMs(readPlain));
  }
  console.log(`${best.toFixed(1)} ${expect.getState().currentTestName}`);
  return best;
}

test.each(largestRecordings)('a recording of the largest size: %s', (_, data, secrets) => {
  const body = envelope(recording(data));
  expect(timesOf(() => void clean(body, secrets))).toBeLessThan(mostTimes);
});

test('a report that breaks off after 400,000 brackets', () => {
  expect(timesOf(() => void clean(brokenRecording, cookies))).toBeLessThan(mostTimes);
});

test.each(busyEvents.map((body, number) => [number, body] as const))(
  'events of many parts: %i',
  (_, body) => {
    expect(timesOf(() => void clean(body, steps))).toBeLessThan(mostTimes);
  },
);

test.each(largestBodies)('what a visitor has sent: %s', (_, body) => {
  const request = requestWith(body);
  expect(timesOf(() => void redactionsFor(secretsOf(request), []).sentence('an error'))).toBeLessThan(
    mostTimes,
  );
});
