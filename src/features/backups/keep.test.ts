import fc from 'fast-check';
import { expect, test } from 'vitest';
import { archiveName, madeAt, outdated } from './keep.ts';

const dayMs = 86_400_000;
const rule = { days: 7, weeks: 5, months: 12 };

test('keeps the newest of seven days, five weeks and twelve months of a nightly backup', () => {
  const last = Date.UTC(2026, 10, 28, 3, 17);
  let kept: readonly string[] = [];
  for (let night = 800; night >= 0; night--) {
    const all = [...kept, archiveName(last - night * dayMs)];
    const old = new Set(outdated(all, rule));
    kept = all.filter((name) => !old.has(name));
  }
  const days = kept.toReversed().map((name) => name.slice('clipferry-'.length, -'-031700.tar'.length));
  expect(days).toEqual([
    ...['2026-11-28', '2026-11-27', '2026-11-26', '2026-11-25', '2026-11-24', '2026-11-23', '2026-11-22'],
    ...['2026-11-15', '2026-11-08', '2026-11-01'],
    ...['2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30', '2026-05-31'],
    ...['2026-04-30', '2026-03-31', '2026-02-28', '2026-01-31', '2025-12-31'],
  ]);
});

test('never gives up the newest archive, or a file that is none', () => {
  const at = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
  const count = fc.nat(3);
  fc.assert(
    fc.property(
      fc.array(at),
      fc.array(fc.string()),
      fc.record({ days: count, weeks: count, months: count }),
      (times, others, some) => {
        const names = [...times.map((one) => archiveName(one.getTime())), ...others];
        const old = outdated(names, some);
        const newest = Math.max(...names.map((name) => madeAt(name) ?? 0));
        expect(old.every((name) => madeAt(name) !== null && madeAt(name) !== newest)).toBe(true);
      },
    ),
  );
});
