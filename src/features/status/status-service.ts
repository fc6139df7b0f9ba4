import { defineService } from '../../site/loaders/services.ts';
import type { SiteStatus } from './site-status.ts';

/** The site's health, for its page: as it was at most ten seconds ago. */
export const siteStatusService = defineService<() => Promise<SiteStatus>>('site-status');
