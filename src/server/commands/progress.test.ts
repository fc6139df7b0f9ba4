import { stderr } from 'node:process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgress } from './progress.ts';

let written: string[];
const { isTTY } = stderr;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'], now: 1000 });
  written = [];
  vi.spyOn(stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  stderr.isTTY = isTTY;
});

test('on a terminal, shows a bar that grows visibly, and removes it at the end', () => {
  stderr.isTTY = true;
  vi.advanceTimersByTime(1000);
  const progress = createProgress();
  progress.show('notifications', 500, 2000);
  vi.advanceTimersByTime(50);
  progress.show('notifications', 600, 2000);
  vi.advanceTimersByTime(50);
  progress.show('notifications', 1000, 2000);
  progress.show('notifications', 2000, 2000);
  progress.end();
  const bar = (filled: number, done: number) =>
    `\r[${'#'.repeat(filled)}${' '.repeat(30 - filled)}] ${done}/2000 notifications\x1b[K`;
  expect(written).toEqual([bar(8, 500), bar(15, 1000), bar(30, 2000), '\r\x1b[K']);
});

test('writes nothing elsewhere', () => {
  stderr.isTTY = false;
  const progress = createProgress();
  progress.show('notifications', 2000, 2000);
  progress.end();
  expect(written).toEqual([]);
});
