import type { Environment } from '../../process/environment.ts';
import { createDownloadLimit } from '../../web/http/limits/download-limit.ts';
import type { RateLimits } from '../../web/http/limits/rate-limits.ts';
import type { FeatureLimits, ServerParts } from '../../web/server/parts.ts';

/** What one visitor may have of the site, besides what features limit. */
export const assembleLimits = (
  {
    RESOLVES_PER_MINUTE,
    FILES_PER_MINUTE,
    PAGES_PER_MINUTE,
    DOWNLOADS_AT_ONCE,
  }: Pick<Environment, 'RESOLVES_PER_MINUTE' | 'FILES_PER_MINUTE' | 'PAGES_PER_MINUTE' | 'DOWNLOADS_AT_ONCE'>,
  { create, createLate }: RateLimits,
): Omit<ServerParts['limits'], keyof FeatureLimits> => ({
  resolve: create('resolve', RESOLVES_PER_MINUTE),
  files: create('files', FILES_PER_MINUTE),
  // Pages are told by a stream; who asks instead may ask ten times a second.
  status: create('status', Math.ceil((FILES_PER_MINUTE * 5) / 12), 5),
  // Enough for another site that takes its lists from here in all languages.
  lists: create('lists', 300),
  // Whoever has reported much is forgotten all the same.
  forgetting: create('forgetting', 120),
  uncached: createLate('uncached', PAGES_PER_MINUTE),
  downloads: createDownloadLimit(DOWNLOADS_AT_ONCE),
  watches: createDownloadLimit(DOWNLOADS_AT_ONCE),
});
