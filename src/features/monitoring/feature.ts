import type { Feature } from '../../web/feature.ts';
import { monitoringFields } from './configuration.ts';

export default { configuration: monitoringFields, server: () => import('./server.ts') } satisfies Feature;
