import { defineVariables, webAddress, wholeNumber } from '../../process/variables.ts';

/** The variables of instances and of the program that holds their pages. */
export const pageCacheVariables = defineVariables({
  PAGE_CACHE_URL: webAddress.optional(),
  PAGE_CACHE_PORT: wholeNumber(0, 65_535).default(40_010),
  PAGE_CACHE_MB: wholeNumber(1, 100_000).default(256),
});
