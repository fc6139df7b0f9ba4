import type { Logger } from 'pino';
import type { RunningDownloads } from '../server/endpoints/files/running.ts';
import type { Database } from '../stores/contracts/database.ts';
import { openTakedownList, type TakedownList } from '../visitors/takedowns/takedowns.ts';
import { everySecond } from './every-second.ts';

/** Keeps the list of what is taken down up to date, and stops what runs of it. */
export async function watchTakedowns(
  { query }: Database,
  logger: Logger,
): Promise<{
  readonly has: TakedownList['has'];
  stopRunning(downloads: RunningDownloads): void;
  close(): Promise<void>;
}> {
  const list = await openTakedownList(query);
  let downloads: RunningDownloads | null = null;
  const close = everySecond(
    async () => {
      if (await list.refresh()) await downloads?.recheck();
    },
    (error) => logger.error({ err: error }, 'takedowns could not be read'),
  );
  return {
    has: list.has,
    stopRunning(running) {
      downloads = running;
    },
    close,
  };
}
