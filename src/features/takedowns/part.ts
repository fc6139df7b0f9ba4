import type { Logger } from 'pino';
import { startPoller } from '../../process/poller.ts';
import type { Database } from '../../stores/contracts/database.ts';
import type { SharedRedis } from '../../stores/open/redis.ts';
import type { Assembled, FeatureContext } from '../../web/feature.ts';
import type { RunningDownloads } from '../../web/server/running-downloads.ts';
import { createTakedowns, openTakedownList, type TakedownList } from './takedowns.ts';

/**
 * Keeps the list of what is taken down up to date, and stops what runs of it.
 * @param redis tells of a takedown at once; without it the list is looked at every second
 */
export async function watchTakedowns(
  { query }: Database,
  redis: SharedRedis | null,
  logger: Logger,
): Promise<{
  readonly has: TakedownList['has'];
  stopRunning(downloads: Pick<RunningDownloads, 'recheck'>): void;
  /** Whether the database did not answer when it was last asked, a moment ago. */
  isDatabaseAway(): boolean;
  close(): Promise<void>;
}> {
  const list = await openTakedownList(query);
  let downloads: Pick<RunningDownloads, 'recheck'> | null = null;
  let isAway = false;
  const close = startPoller(
    async () => {
      const hasChanged = await list.refresh();
      isAway = false;
      if (hasChanged) downloads?.recheck();
    },
    (error) => {
      isAway = true;
      logger.error({ err: error }, 'takedowns could not be read');
    },
    (refresh) => redis?.onChange('takedowns', refresh),
  );
  return {
    has: list.has,
    stopRunning(running) {
      downloads = running;
    },
    isDatabaseAway: () => isAway,
    close,
  };
}

const laterNote = 'instances hear of the change a second later';

/** Instances find what changed by themselves, where nobody tells them. */
async function announceOr(redis: SharedRedis | null, onError: (error: unknown) => void): Promise<void> {
  if (redis === null || redis.isAway) return;
  await redis.announce('takedowns').catch(onError);
}

/** What says which posts are taken down. */
export async function assembleTakedowns({
  database,
  redis,
  logger,
  recheckDownloads,
}: FeatureContext): Promise<Assembled> {
  const { has, isDatabaseAway, stopRunning, close } = await watchTakedowns(database, redis, logger);
  stopRunning({ recheck: recheckDownloads });
  return {
    parts: { isWithheld: has, isDatabaseAway },
    async desk({ extractors }) {
      const { takedownsPage } = await import('./desk/page.ts');
      const takedowns = createTakedowns(database.query, Date.now);
      return [
        takedownsPage({
          ...{ takedowns, extractors },
          announce: () => announceOr(redis, (error) => logger.warn({ err: error }, laterNote)),
        }),
      ];
    },
    close,
  };
}
