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
          // After the units and one file at a time: journeys have time limits, and a machine may have two cores.
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
          testTimeout: 30_000,
          hookTimeout: 90_000,
        },
      },
    ],
  },
});
