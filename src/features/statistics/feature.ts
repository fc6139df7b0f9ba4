import type { Feature } from '../../server/feature.ts';
import { statisticsVariables } from './variables.ts';

export default {
  variables: statisticsVariables,
  audience: ({ configuration }) => (configuration.statistics ? 'statistics' : null),
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
