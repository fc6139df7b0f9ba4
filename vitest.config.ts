import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const unitTests = '{src,doubles,tools,tests/simulation,tests/support}/**/*.test.{ts,tsx}';

/** Measurements of what a function costs, for `npm run bench`: a busy machine changes them. */
const costTests = '{src,doubles,tools}/**/*.cost.test.ts';

/** Tests that replace modules or globals of their process, which no other file may see. */
const alone = globSync(unitTests).filter((file) =>
  /\bvi\.(?:mock|doMock|resetModules|stubGlobal|stubEnv)\b/.test(readFileSync(file, 'utf8')),
);

const unit = {
  globalSetup: 'tests/support/start-postgresql.ts',
  // Property tests of thousands of cases take their time on a busy machine; one that hangs is still ended.
  testTimeout: 60_000,
  // Many wait for a process or a server: four at a time take half as long on two cores as one.
  maxWorkers: 4,
};

/** Whole-product tests: the built site, the platform's double and, in `tests/browser`, a real browser. */
const journeys = {
  // Nothing of a journey is left in its process, and the next one need not load all that starts and asks the product.
  isolate: false,
  globalSetup: ['tests/support/start-postgresql.ts', 'tests/support/first-start.ts'],
  setupFiles: ['tests/support/after-each-file.ts'],
  // A busy machine takes its time; one that hangs is still ended.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // A condition may take its time to come true on a busy machine.
  expect: { poll: { timeout: 15_000 } },
};

const visits = {
  ...journeys,
  setupFiles: [...journeys.setupFiles, 'tests/support/after-each-visit.ts'],
};

export default defineConfig({
  test: {
    projects: [
      // Starting a process and loading the same modules costs most of them more than their tests.
      {
        test: {
          name: 'unit',
          include: [unitTests],
          exclude: [...alone, costTests],
          isolate: false,
          ...unit,
        },
      },
      { test: { name: 'unit-alone', include: alone, exclude: [costTests], ...unit } },
      { test: { name: 'cost', include: [costTests], maxWorkers: 1, testTimeout: 120_000 } },
      // One project after the other: browsers keep the CPU busy, everything else waits most of its time.
      {
        test: {
          name: 'journeys',
          include: ['tests/{http,faults}/**/*.test.ts'],
          sequence: { groupOrder: 1 },
          maxWorkers: 3,
          ...journeys,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          sequence: { groupOrder: 2 },
          maxWorkers: 3,
          ...visits,
        },
      },
      // Every journey with all cases of its matrices, and those that take minutes, for `npm run audit:site`.
      {
        test: {
          name: 'audits',
          include: ['tests/{audits,http,faults,browser}/**/*.test.ts'],
          env: { SITE_AUDIT: '1' },
          sequence: { groupOrder: 3 },
          maxWorkers: 2,
          ...visits,
          testTimeout: 120_000,
        },
      },
    ],
  },
});
