import type { Feature } from '../../web/feature.ts';
import { backendsFields } from './page-backends.ts';

export default { configuration: backendsFields, server: () => import('./server.ts') } satisfies Feature;
