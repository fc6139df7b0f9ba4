import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'doubles/**/*.test.ts', 'tools/**/*.test.ts'],
          // Property tests of thousands of cases take seconds on a busy machine; one that hangs is still ended.
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['tests/**/*.test.ts'],
          // After the units, two files at a time: journeys have time limits, and a machine may have two cores.
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
          testTimeout: 30_000,
          hookTimeout: 90_000,
          // A condition may take its time to come true on a busy machine.
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
});
