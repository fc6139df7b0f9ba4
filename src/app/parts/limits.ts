import { Turns } from '../../downloader/async/turns.ts';
import type { Environment } from '../../process/environment.ts';
import { createDownloadLimit, type RateLimits } from '../../server/http/limits/visitor-limits.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';

/** Requests to the platform for the results of one visitor: as many as posts that a list reads at a time. */
const requestsAtOnce = 4;

/** The limits of one visitor. */
export const assembleLimits = (
  {
    RESOLVES_PER_MINUTE,
    FILES_PER_MINUTE,
    PAGES_PER_MINUTE,
    DOWNLOADS_AT_ONCE,
  }: Pick<Environment, 'RESOLVES_PER_MINUTE' | 'FILES_PER_MINUTE' | 'PAGES_PER_MINUTE' | 'DOWNLOADS_AT_ONCE'>,
  { create, createLate }: RateLimits,
  turns = new Turns(),
): ServerDependencies['limits'] => ({
  resolve: create('resolve', RESOLVES_PER_MINUTE),
  files: create('files', FILES_PER_MINUTE),
  // Each is a conversion of its own, and a person tries a few.
  cuts: create('cuts', Math.ceil(FILES_PER_MINUTE / 2), 600),
  // Pages use an event stream; other clients may poll ten times a second.
  status: create('status', Math.ceil((FILES_PER_MINUTE * 5) / 12), 5),
  // Enough for another site that loads its lists from here in all languages.
  lists: create('lists', 300),
  // Applies even to a visitor who has used up the limit on reports.
  forgetting: create('forgetting', 120),
  uncached: createLate('uncached', PAGES_PER_MINUTE),
  turns: ({ key, times = 1 }) => turns.of(key, requestsAtOnce * times),
  downloads: createDownloadLimit(DOWNLOADS_AT_ONCE),
  watches: createDownloadLimit(DOWNLOADS_AT_ONCE),
});
