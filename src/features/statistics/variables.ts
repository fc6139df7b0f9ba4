import { defineVariables, wholeNumber } from '../../process/variables.ts';

/** How many reports are taken. */
export const statisticsVariables = defineVariables({
  REPORTS_PER_MINUTE: wholeNumber(1, 1_000_000).default(120),
  REPORTS_PER_HOUR: wholeNumber(10, 100_000_000).default(20_000),
});
