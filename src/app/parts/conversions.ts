import { availableParallelism } from 'node:os';
import type { Registry } from 'prom-client';
import type { Conversions } from '../../downloader/conversions/contracts.ts';
import {
  type ConversionObserver,
  type ConversionsOptions,
  createConversions,
} from '../../downloader/conversions/conversions.ts';
import { createJobMaker, createJobWork } from '../../downloader/conversions/jobs.ts';
import type { SoundMaker } from '../../downloader/conversions/source.ts';
import type { Environment } from '../../process/environment.ts';
import { createConversionStore } from '../../stores/embedded/conversions/conversion-store.ts';
import type { FileStores } from '../../stores/open/file-stores.ts';
import type { SharedRedis } from '../../stores/open/redis.ts';
import { watchJobs } from '../../web/metrics/jobs.ts';

export interface ConversionParts {
  readonly environment: Pick<Environment, 'CONVERSIONS' | 'CONVERSIONS_WAITING'>;
  readonly maker: SoundMaker;
  readonly fileStores: FileStores;
  readonly observer: ConversionObserver;
  readonly metrics: Registry;
}

/** Conversions, and how to end all that works for them. */
interface AssembledConversions {
  readonly conversions: Conversions;
  /** @param grace what runs may end until it is aborted */
  close(grace: AbortSignal): Promise<void>;
}

/** Jobs that this instance may wait for at once, as good as no bound: the queue has one (`CONVERSIONS_WAITING`). */
const maxAwaitedJobs = 100_000;

const createOwnStore = () => createConversionStore({ now: () => performance.now() });

/** How many conversions this machine makes at once. */
export const conversionsAtOnce = ({ CONVERSIONS }: Pick<Environment, 'CONVERSIONS'>): number =>
  CONVERSIONS || availableParallelism();

function ownOptions({ environment, maker, fileStores, observer }: ConversionParts): ConversionsOptions {
  return {
    maker,
    store: createOwnStore(),
    fileStore: fileStores.kept,
    parallel: conversionsAtOnce(environment),
    maxWaiting: environment.CONVERSIONS_WAITING,
    now: () => performance.now(),
    observer,
  };
}

/** The conversions of an instance that visitors ask: made here, and with Redis by whichever instance is free. */
export async function assembleConversions(
  parts: ConversionParts,
  redis: Pick<SharedRedis, 'openConversionStore' | 'openJobs'> | null,
): Promise<AssembledConversions> {
  const options = ownOptions(parts);
  if (redis === null) {
    const conversions = createConversions(options);
    return { conversions, close: (grace) => conversions.close(grace) };
  }
  const { environment, fileStores, observer, metrics } = parts;
  const jobs = await redis.openJobs(environment.CONVERSIONS_WAITING);
  watchJobs(jobs, metrics);
  // What is asked for here is counted where it is asked, and what is made here where it is made.
  const own = createConversions({
    ...options,
    // What a converter began and this instance goes on with has to have the same bytes, however many wait here.
    mayHurry: false,
    observer: { ...observer, requested() {} },
  });
  const conversions = createConversions({
    ...options,
    maker: createJobMaker({ jobs, own }),
    store: redis.openConversionStore(createOwnStore()),
    // What others have made is theirs to send to the store: here it is kept on this machine alone.
    fileStore: { ...fileStores.kept, create: fileStores.local.create },
    parallel: maxAwaitedJobs,
    observer: { ...observer, queue() {}, ended() {} },
  });
  const worker =
    environment.CONVERSIONS === 0
      ? null
      : jobs.work({ atOnce: conversionsAtOnce(environment), make: createJobWork(own) });
  return {
    conversions,
    async close(grace) {
      await Promise.all([conversions.close(grace), own.close(grace), worker?.close()]);
      await jobs.close();
    },
  };
}

/** The conversions of an instance that nobody asks but others like it. */
export async function assembleConverter(
  parts: ConversionParts,
  redis: Pick<SharedRedis, 'openJobs'>,
): Promise<Omit<AssembledConversions, 'conversions'>> {
  const { environment, metrics } = parts;
  const jobs = await redis.openJobs(environment.CONVERSIONS_WAITING);
  watchJobs(jobs, metrics);
  const own = createConversions(ownOptions(parts));
  const worker = jobs.work({ atOnce: conversionsAtOnce(environment), make: createJobWork(own) });
  return {
    async close(grace) {
      await Promise.all([own.close(grace), worker.close()]);
      await jobs.close();
    },
  };
}
