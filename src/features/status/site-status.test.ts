import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HourlyOutcomes, outcomeKinds } from './outcomes.ts';
import { hourMs, shownHours, siteStatus } from './site-status.ts';

const thisHour = 500_000;
const now = thisHour * hourMs + 1;
const videos = (ago: number, succeeded: number, failed: number): HourlyOutcomes => ({
  hour: thisHour - ago,
  kind: 'videos',
  succeeded,
  failed,
});
const statusOf = (outcomes: readonly HourlyOutcomes[]) =>
  siteStatus(outcomes, [], now).kinds.find(({ kind }) => kind === 'videos');

describe('siteStatus', () => {
  test.each([
    ['nobody has tried', [], 'unknown', null],
    ['four have tried', [videos(0, 0, 4)], 'unknown', null],
    ['all went well', [videos(0, 3, 0), videos(1, 2, 0)], 'working', 1],
    ['one of twenty failed', [videos(0, 19, 1)], 'working', 0.95],
    ['one of ten failed', [videos(1, 9, 1)], 'troubled', 0.9],
    ['most failed', [videos(0, 4, 6)], 'broken', 0.4],
    ['it is over for two hours', [videos(2, 0, 90), videos(0, 10, 0)], 'working', 0.1],
    ['it went well two hours ago', [videos(2, 90, 0)], 'unknown', 1],
    ['it went well yesterday', [videos(24, 90, 0)], 'unknown', null],
  ] as const)('when %s', (_, outcomes, health, share) => {
    expect(statusOf(outcomes)).toMatchObject({ now: health, share });
  });

  test('the site has the worst of all states, and an incident counts as a trouble', () => {
    const links = { hour: thisHour, kind: 'links', succeeded: 90, failed: 10 } as const;
    expect(siteStatus([videos(0, 10, 0), links], [], now).now).toBe('troubled');
    expect(siteStatus([videos(0, 0, 10), links], [], now).now).toBe('broken');
    const incident = { id: 1, text: 'slow', beganAt: now - 5, endedAt: null };
    expect(siteStatus([videos(0, 10, 0)], [incident], now).now).toBe('troubled');
    expect(siteStatus([videos(0, 10, 0)], [{ ...incident, endedAt: now - 1 }], now).now).toBe('working');
  });

  test('every hour is where it belongs', () => {
    const outcome = fc.record({
      hour: fc.integer({ min: thisHour - 30, max: thisHour }),
      kind: fc.constantFrom(...outcomeKinds),
      succeeded: fc.nat(50),
      failed: fc.nat(50),
    });
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 40 }), (outcomes) => {
        for (const { kind, hours } of siteStatus(outcomes, [], now).kinds) {
          expect(hours).toHaveLength(shownHours);
          hours.forEach((share, at) => {
            const own = outcomes.filter(
              (one) => one.kind === kind && one.hour === thisHour - (shownHours - 1 - at),
            );
            const sum = (name: 'succeeded' | 'failed') => own.reduce((total, one) => total + one[name], 0);
            const all = sum('succeeded') + sum('failed');
            expect(share).toBe(all < 5 ? null : sum('succeeded') / all);
          });
        }
      }),
    );
  });
});
