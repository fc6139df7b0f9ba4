import { defineVariables, wholeNumber } from '../../process/variables.ts';
import type { Feature } from '../../server/feature.ts';

/** How many reports are taken. */
const variables = defineVariables({
  REPORTS_PER_MINUTE: wholeNumber(1, 1_000_000).default(120),
  REPORTS_PER_HOUR: wholeNumber(10, 100_000_000).default(20_000),
});

export default {
  variables,
  audience: ({ configuration }) => (configuration.statistics ? 'statistics' : null),
  open: async (core) => (await import('./server.ts')).default(core, variables.read(core.environment)),
} satisfies Feature;
