import { availableParallelism } from 'node:os';
import { Gauge, type Registry } from 'prom-client';
import { createLocalQueue } from '../../../downloader/conversions/conversion-queue.ts';
import {
  type ConversionRunner,
  createConversionRunner,
} from '../../../downloader/conversions/conversion-runner.ts';
import {
  type ConversionObserver,
  createConversions,
  createLocalConversions,
  fileTarget,
} from '../../../downloader/conversions/conversions.ts';
import { createJobQueue } from '../../../downloader/conversions/jobs/job-queue.ts';
import { createJobWork } from '../../../downloader/conversions/jobs/job-work.ts';
import type { FileMaker } from '../../../downloader/conversions/source.ts';
import type { Environment } from '../../../process/environment.ts';
import type { ConversionJobs } from '../../../stores/contracts/conversion-jobs.ts';
import { createConversionStore } from '../../../stores/embedded/conversion-store.ts';
import type { FileStores } from '../../../stores/open/file-stores.ts';
import type { SharedRedis } from '../../../stores/open/redis.ts';
import { createMemo } from '../../../stores/shared-work/memo.ts';

/** Exposes the shared queue, read at each scrape; nothing while it is unreachable. */
function watchJobs(jobs: Pick<ConversionJobs, 'counts'>, registry: Registry): void {
  new Gauge({
    name: 'clipferry_conversion_jobs',
    help: 'Conversions of all instances together: waiting, active, and how many could be active (places).',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      const counts = await jobs.counts();
      for (const [state, count] of Object.entries(counts ?? {})) this.set({ state }, count);
    },
  });
}

export interface ConversionParts {
  readonly environment: Pick<Environment, 'CONVERSIONS' | 'CONVERSIONS_WAITING'>;
  readonly maker: FileMaker;
  readonly fileStores: FileStores;
  readonly observer: ConversionObserver;
  readonly metrics: Registry;
  /** Makes videos of slideshows; null when this machine cannot. */
  readonly findVideoTools: () => Promise<object | null>;
}

const now = () => performance.now();
const createOwnStore = () => createConversionStore({ now });

/** Maximum number of concurrent conversions on this machine. */
export const conversionsAtOnce = ({ CONVERSIONS }: Pick<Environment, 'CONVERSIONS'>): number =>
  CONVERSIONS || availableParallelism();

/** How many of them may be videos of slideshows: half, so that sounds do not wait for them and memory is limited. */
const slideshowsAtOnce = (environment: Pick<Environment, 'CONVERSIONS'>): number =>
  Math.max(1, Math.floor(conversionsAtOnce(environment) / 2));

/** Longest interval between queries of the converters' abilities, in ms. */
const checkAgainMs = 5000;

function createRunner({ maker, fileStores, observer }: ConversionParts): ConversionRunner {
  return createConversionRunner({
    maker,
    target: fileTarget(fileStores.kept, {}, observer.error),
    now,
    observer,
  });
}

/** Makes this instance take jobs. @returns a function that ends it; running jobs may end until `grace` aborts */
async function startWorker(parts: ConversionParts, runner: ConversionRunner, jobs: ConversionJobs) {
  const { environment, fileStores, observer } = parts;
  const heavyAtOnce = (await parts.findVideoTools()) === null ? 0 : slideshowsAtOnce(environment);
  const stopping = new AbortController();
  const make = createJobWork({
    runner,
    fileStore: fileStores.kept,
    stopping: stopping.signal,
    onError: observer.error,
  });
  const worker = jobs.startWorker({ atOnce: conversionsAtOnce(environment), heavyAtOnce, make });
  return async (grace: AbortSignal): Promise<void> => {
    const stop = () => stopping.abort();
    if (grace.aborted) stop();
    grace.addEventListener('abort', stop, { once: true });
    await worker.close();
    grace.removeEventListener('abort', stop);
  };
}

/** The conversions of an instance with visitors: made here, or with Redis on any free instance. */
export async function assembleConversions(
  parts: ConversionParts,
  redis: Pick<SharedRedis, 'openConversionStore' | 'openJobs'> | null,
) {
  const { environment, maker, fileStores, observer, metrics } = parts;
  const local = {
    parallel: conversionsAtOnce(environment),
    slideshowsAtOnce: slideshowsAtOnce(environment),
    maxWaiting: environment.CONVERSIONS_WAITING,
  };
  const canMakeHere = async () => (await parts.findVideoTools()) !== null;
  if (redis === null) {
    const store = createOwnStore();
    const conversions = createLocalConversions({
      ...local,
      maker,
      store,
      fileStore: fileStores.kept,
      now,
      observer,
    });
    return {
      conversions,
      canMakeSlideshows: canMakeHere,
      close: (grace: AbortSignal) => conversions.close(grace),
    };
  }
  const jobs = await redis.openJobs(environment.CONVERSIONS_WAITING);
  watchJobs(jobs, metrics);
  const runner = createRunner(parts);
  const conversions = createConversions({
    store: redis.openConversionStore(createOwnStore()),
    fileStore: fileStores.kept,
    observer,
    openQueue: (events) =>
      createJobQueue({
        jobs,
        ...events,
        // Files of other workers are sent to the store by them: here they are kept on this machine only.
        target: fileTarget(fileStores.local, {}, observer.error),
        // A file that a converter began must go on with the same bytes, however many wait here.
        local: createLocalQueue({ ...local, ...events, runner, mayHurry: false, waiting: observer.waiting }),
      }),
  });
  const stopWorker = environment.CONVERSIONS === 0 ? null : await startWorker(parts, runner, jobs);
  const converters = createMemo<boolean>({ max: 1, ttlMs: checkAgainMs });
  return {
    conversions,
    /** Whether videos of slideshows can be made, here or by a converter. */
    canMakeSlideshows: async () => (await canMakeHere()) || converters.get('', jobs.canMakeHeavy),
    /** @param grace what runs may end until it is aborted */
    close: async (grace: AbortSignal) =>
      void (await Promise.all([conversions.close(grace), stopWorker?.(grace)])),
  };
}

/** Conversions, and how to end all that works for them. */
type AssembledConversions = Awaited<ReturnType<typeof assembleConversions>>;

/** The conversions of a converter, which only other instances request. */
export async function assembleConverter(
  parts: ConversionParts,
  redis: Pick<SharedRedis, 'openJobs'>,
): Promise<Pick<AssembledConversions, 'close'>> {
  const jobs = await redis.openJobs(parts.environment.CONVERSIONS_WAITING);
  watchJobs(jobs, parts.metrics);
  return { close: await startWorker(parts, createRunner(parts), jobs) };
}
