import { describe, expect, it } from 'vitest';
import { argumentsFor, deserveSecondRun, failedTests } from './second-run.ts';

const passed = { ancestorTitles: ['a page'], title: 'opens', status: 'passed' };
const failed = (title: string) => ({ ancestorTitles: ['b'], title, status: 'failed' });
const report = (...testResults: { name: string; status: string; assertionResults: object[] }[]) =>
  ({ numPassedTests: 0, testResults }) as Parameters<typeof failedTests>[0];

describe('failedTests', () => {
  it('names each failed test, and each file that failed without one', () => {
    const found = failedTests(
      report(
        { name: '/c/tests/browser/a.test.ts', status: 'failed', assertionResults: [passed, failed('c')] },
        { name: '/c/tests/faults/d.test.ts', status: 'failed', assertionResults: [] },
        { name: '/c/src/e.test.ts', status: 'passed', assertionResults: [passed] },
      ),
      '/c',
    );
    expect(found).toEqual([
      { file: 'tests/browser/a.test.ts', name: 'b > c' },
      { file: 'tests/faults/d.test.ts', name: null },
    ]);
  });
});

describe('deserveSecondRun', () => {
  const journey = { file: 'tests/browser/a.test.ts', name: 'b' };

  it('accepts a few browser or fault journeys', () => {
    expect(deserveSecondRun([journey])).toBe(true);
    expect(deserveSecondRun([journey, { file: 'tests/faults/d.test.ts', name: null }])).toBe(true);
  });

  it('accepts neither a unit test, nor an HTTP journey, nor many, nor none', () => {
    expect(deserveSecondRun([journey, { file: 'src/e.test.ts', name: 'f' }])).toBe(false);
    expect(deserveSecondRun([{ file: 'tests/http/e.test.ts', name: 'f' }])).toBe(false);
    expect(deserveSecondRun(Array.from({ length: 6 }, () => journey))).toBe(false);
    expect(deserveSecondRun([])).toBe(false);
  });
});

describe('argumentsFor', () => {
  it('names one test exactly', () => {
    const pattern =
      argumentsFor({ file: 'tests/browser/a.test.ts', name: 'takes "a" (b) or c.' }).at(-1) ?? '';
    expect(new RegExp(pattern).test('takes "a" (b) or c.')).toBe(true);
    expect(new RegExp(pattern).test('it takes "a" (b) or c.')).toBe(false);
  });
});
