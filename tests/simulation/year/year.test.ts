import { beforeAll, describe, expect, it } from 'vitest';
import { isAudit } from '../../support/audit/scope.ts';
import { isAnyOpen, isAnyWhole, replayYear, steadyShares, type Week } from './replay.ts';

/** `node tests/simulation/year/main.ts` prints the table. */
const posts = isAudit ? 10_000 : 4_200;
/** A change is noticed within so many page requests, or in this time. */
const isPrompt = (change: { requests: number; seconds: number }) =>
  change.requests <= 20 || change.seconds <= 120;

let weeks: readonly Week[];
beforeAll(async () => {
  weeks = await replayYear(posts);
}, 120_000);

const nameOf = ({ network, week, period }: Week) => `${network} ${week}: ${period.what}`;
/** The weeks for which a rule does not hold. */
const against = (isRight: (week: Week) => boolean) => weeks.filter((week) => !isRight(week)).map(nameOf);

describe("a year of the platform's gate", () => {
  it('leaves every visitor with a download while page, player or embed answer', () => {
    expect(against((week) => week.downloads === week.posts)).toEqual([]);
  });

  it('leaves every visitor with HD and captions where a page has them, once a change is noticed', () => {
    // Where only the home page warms a jar, the first visitor of a week finds it cold.
    const few = ({ noticed, period }: Week) =>
      noticed !== null ? 20 : period.gate.warmedBy === 'home' ? 1 : 0;
    expect(against((week) => !isAnyWhole(week.period) || week.posts - week.hd <= few(week))).toEqual([]);
    expect(against((week) => !isAnyOpen(week.period) || week.posts - week.captions <= few(week))).toEqual([]);
  });

  it('is followed within twenty page requests or two minutes', () => {
    expect(against(({ noticed }) => noticed === null || isPrompt(noticed))).toEqual([]);
    expect(against(({ noticed }) => noticed?.opened.every(isPrompt) ?? true)).toEqual([]);
    // A gate that never changed would be followed at once.
    expect(weeks.filter(({ noticed }) => noticed !== null).length).toBeGreaterThan(20);
  });

  it('costs three page requests for a post at most, and 1.1 on average in steady weeks', () => {
    expect(against(({ mostForOne }) => mostForOne <= 3)).toEqual([]);
    const tooMany = [...steadyShares(weeks)].filter(([, share]) => share > 1.1);
    expect(tooMany.map(([{ what }, share]) => `${what}: ${share}`)).toEqual([]);
  });
});
