import type { Logger } from 'pino';
import { startPoller } from '../../process/periodic.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import type { Database } from '../../stores/contracts/database.ts';
import type { SharedRedis } from '../../stores/open/redis.ts';
import { createTakedowns, openTakedownList, type TakedownList } from './takedowns.ts';

/**
 * Keeps the list of takedowns up to date.
 * @param redis announces takedowns at once; without it the list is polled every second
 * @param onChange called when the list has changed
 */
export async function watchTakedowns(
  { query }: Database,
  redis: SharedRedis | null,
  logger: Logger,
  onChange: (has: TakedownList['has']) => void,
): Promise<{
  readonly has: TakedownList['has'];
  close(): Promise<void>;
}> {
  const list = await openTakedownList(query);
  const close = startPoller(
    async () => {
      if (await list.refresh()) onChange(list.has);
    },
    (error) => logger.error({ err: error }, 'takedowns could not be read'),
    (refresh) => redis?.onChange('takedowns', refresh),
  );
  return { has: list.has, close };
}

/** Refuses posts that the operator has taken down. */
export default async function openTakedowns({
  database,
  redis,
  logger,
  runningDownloads,
}: Core): Promise<FeatureServer> {
  const { has, close } = await watchTakedowns(database, redis, logger, runningDownloads.stop);
  return {
    withholds: has,
    async desk({ extractors }) {
      const { takedownsPage } = await import('./desk/page.ts');
      const takedowns = createTakedowns(database.query, Date.now);
      return [
        takedownsPage({
          ...{ takedowns, extractors },
          async announce() {
            // Instances find what changed by themselves, where nobody tells them.
            if (redis === null || redis.isAway) return;
            await redis
              .announce('takedowns')
              .catch((error: unknown) =>
                logger.warn({ err: error }, 'instances hear of the change a second later'),
              );
          },
        }),
      ];
    },
    close,
  };
}
