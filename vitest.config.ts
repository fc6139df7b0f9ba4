import { defineConfig } from 'vitest/config';

/** Whole-product tests: the built site, the platform's double and a real browser. */
const journeys = {
  globalSetup: 'tests/support/first-start.ts',
  // Two files at a time: journeys have time limits, and a machine may have two cores.
  maxWorkers: 2,
  testTimeout: 60_000,
  hookTimeout: 90_000,
  // A condition may take its time to come true on a busy machine.
  expect: { poll: { timeout: 15_000 } },
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,doubles,tools,bench,tests/support}/**/*.test.{ts,tsx}'],
          // Property tests of thousands of cases take seconds on a busy machine; one that hangs is still ended.
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['tests/{http,browser,faults}/**/*.test.ts'],
          // After the units.
          sequence: { groupOrder: 1 },
          ...journeys,
        },
      },
      // Matrices of languages and windows, for \`npm run audit:site\`.
      {
        test: {
          name: 'audits',
          include: ['tests/audits/**/*.test.ts'],
          sequence: { groupOrder: 2 },
          ...journeys,
          testTimeout: 120_000,
        },
      },
    ],
  },
});
