import { expect, test } from 'vitest';
import { createRecentCounts } from './recent-counts.ts';

const minuteMs = 60_000;

test('sums up the last five minutes, and the last fifty within an hour', () => {
  let time = 0;
  const counts = createRecentCounts(() => time);
  const add = (times: number, isFailure: boolean) => {
    for (let one = 0; one < times; one++) counts.add('link', isFailure);
  };
  const link = (succeeded: number, failed: number) => ({ kind: 'link', succeeded, failed });
  add(40, false);
  time += 10 * minuteMs;
  add(30, false);
  time += 10 * minuteMs;
  add(30, true);
  counts.add('videos', false);
  expect(counts.within(5 * minuteMs)[0]).toEqual(link(0, 30));
  expect(counts.last(50)).toEqual([link(30, 30), { kind: 'videos', succeeded: 1, failed: 0 }]);
  expect(counts.last(100)[0]).toEqual(link(70, 30));
  time += 51 * minuteMs;
  expect(counts.last(100)[0]).toEqual(link(0, 30));
});

test('the last ones begin anew, also within ten seconds, and the five minutes go on', () => {
  const counts = createRecentCounts(() => 5);
  counts.add('link', false);
  counts.restart();
  counts.add('link', true);
  expect(counts.last(50)).toEqual([{ kind: 'link', succeeded: 0, failed: 1 }]);
  expect(counts.within(5 * minuteMs)).toEqual([{ kind: 'link', succeeded: 1, failed: 1 }]);
});
