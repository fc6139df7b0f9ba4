import type { Feature } from '../../server/feature.ts';
import { messageVariables } from './variables.ts';

export default {
  variables: messageVariables,
  checks: () => import('./mail/checks.ts'),
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
