import { expect, test } from 'vitest';
import { Line } from './line.ts';

test('several transfers together do not exceed the bandwidth', async () => {
  let nowMs = 1000;
  const waiting: { readonly untilMs: number; readonly go: () => void }[] = [];
  const line = new Line(80_000_000, {
    now: () => nowMs,
    pause: (ms) => new Promise((go) => waiting.push({ untilMs: nowMs + ms, go })),
  });
  const { signal } = new AbortController();
  const transfer = async () => {
    for (let sent = 0; sent < 1_000_000; sent += line.turnBytes) await line.carry(line.turnBytes, signal);
  };
  let areDone = false;
  void Promise.all([transfer(), transfer(), transfer(), transfer()]).then(() => {
    areDone = true;
  });
  while (!areDone) {
    await new Promise(setImmediate);
    waiting.sort((one, other) => one.untilMs - other.untilMs);
    const next = waiting.shift();
    if (next === undefined) continue;
    nowMs = Math.max(nowMs, next.untilMs);
    next.go();
  }
  // 4 MB at 10 MB/s, less the burst after a pause.
  expect(nowMs - 1000).toBeGreaterThan(390);
  expect(nowMs - 1000).toBeLessThan(410);
});
