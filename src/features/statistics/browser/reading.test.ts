import { expect, test } from 'vitest';
import { createReading } from './reading.ts';

function readerOf(total: number) {
  const reached: number[] = [];
  const page = { seen: 0, total };
  const reading = createReading(
    () => page,
    (percent) => reached.push(percent),
  );
  return { reached, page, reading };
}

test('reports each milestone once, when scrolling passes it', () => {
  const { reached, page, reading } = readerOf(1000);
  page.seen = 450;
  reading.look();
  expect([reached, reading.highest, reading.total]).toEqual([[], 45, 1000]);
  reading.scrolled();
  expect(reached).toEqual([20, 40]);
  page.seen = 300;
  reading.scrolled();
  page.seen = 1000;
  reading.scrolled();
  reading.scrolled();
  expect(reached).toEqual([20, 40, 60, 80, 100]);
  expect(reading.highest).toBe(100);
});

test('uses the last measured height of a growing page', () => {
  const { page, reading } = readerOf(1000);
  page.total = 1500;
  expect(reading.total).toBe(1000);
  reading.look();
  expect(reading.total).toBe(1500);
});

test('reaches the lower edge of a page although half a pixel is lost, and of an empty page at once', () => {
  const { page, reading } = readerOf(1000);
  page.seen = 999.4;
  reading.look();
  expect(reading.highest).toBe(100);
  const empty = readerOf(0);
  empty.reading.look();
  expect(empty.reading.highest).toBe(100);
});
