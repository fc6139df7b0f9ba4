import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { services } from '../../server/tally/names.ts';
import { hourMs } from '../../stores/tally/units.ts';
import { type HourlyOutcomes, shownHours, siteStatus } from './site-status.ts';

const thisHour = 500_000;
const now = thisHour * hourMs + 1;
const videos = (ago: number, succeeded: number, failed: number): HourlyOutcomes => ({
  ...{ at: thisHour - ago, name: 'videos', total: succeeded + failed, part: succeeded },
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
    const links = { at: thisHour, name: 'links', total: 100, part: 90 };
    expect(siteStatus([videos(0, 10, 0), links], [], now).now).toBe('troubled');
    expect(siteStatus([videos(0, 0, 10), links], [], now).now).toBe('broken');
    const incident = { id: 1, text: 'slow', beganAt: now - 5, endedAt: null };
    expect(siteStatus([videos(0, 10, 0)], [incident], now).now).toBe('troubled');
    expect(siteStatus([videos(0, 10, 0)], [{ ...incident, endedAt: now - 1 }], now).now).toBe('working');
  });

  test('every hour is where it belongs', () => {
    const outcome = fc
      .record({
        at: fc.integer({ min: thisHour - 30, max: thisHour }),
        name: fc.constantFrom(...services),
        part: fc.nat(50),
        failed: fc.nat(50),
      })
      .map(({ failed, ...one }) => ({ ...one, total: one.part + failed }));
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 40 }), (outcomes) => {
        for (const { kind, hours } of siteStatus(outcomes, [], now).kinds) {
          expect(hours).toHaveLength(shownHours);
          hours.forEach((share, at) => {
            const own = outcomes.filter(
              (one) => one.name === kind && one.at === thisHour - (shownHours - 1 - at),
            );
            const sum = (name: 'part' | 'total') => own.reduce((all, one) => all + one[name], 0);
            expect(share).toBe(sum('total') < 5 ? null : sum('part') / sum('total'));
          });
        }
      }),
    );
  });
});
