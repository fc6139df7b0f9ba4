import type { Logger } from 'pino';
import { openChangeReader } from '../../../content/writing/changes.ts';
import { createViewCounter } from '../../../content/writing/views.ts';
import { startPoller } from '../../../process/poller.ts';
import { touchedPages } from '../../../server/page-cache/changed-pages.ts';
import { dropPages, type PageCache } from '../../../server/page-cache/page-cache.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import type { Database } from '../../../stores/contracts/database.ts';
import type { SharedRedis } from '../../../stores/open/redis.ts';

/**
 * Background work on articles: counts views and listens for changes.
 * @param redis announces changes at once; without it the database is polled every second
 */
export async function assembleContentWork(
  { query }: Database,
  configuration: SiteConfiguration,
  redis: SharedRedis | null,
  logger: Logger,
) {
  // Monotonic, even if the clock is set meanwhile.
  const views = createViewCounter(query, () => performance.timeOrigin + performance.now());
  const changes = await openChangeReader(query, Date.now);
  const ends = [
    startPoller(views.flush, (error) => logger.error({ err: error }, 'views could not be written')),
  ];
  return {
    views,
    /**
     * Drops pages whose content another process has changed.
     * @param beforeDrop drops other caches first, so that no page is made from them again
     */
    watch(pageCache: PageCache, beforeDrop: () => void) {
      const look = async () => {
        const found = await changes.next();
        if (found.length === 0) return;
        beforeDrop();
        const dropped = await dropPages(pageCache, touchedPages(found, configuration));
        logger.info({ changes: found.length, dropped }, 'articles have changed');
      };
      ends.push(
        startPoller(
          look,
          (error) => logger.error({ err: error }, 'changes could not be read'),
          (lookNow) => redis?.onChange('content', lookNow),
        ),
      );
    },
    /** Ends the watching and writes the last views. */
    async close() {
      for (const end of ends) await end();
    },
  };
}
