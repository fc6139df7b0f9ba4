import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createConversions } from '../../downloader/conversions/conversions.ts';
import { createCoverReader } from '../../downloader/conversions/cover.ts';
import { createSoundMaker } from '../../downloader/conversions/make-sound.ts';
import { RecentMovies } from '../../downloader/media/recent-movies.ts';
import { createSoundPresence } from '../../downloader/options/sound-presence.ts';
import { PictureProcesses } from '../../downloader/pictures/picture-processes.ts';
import { createPictures } from '../../downloader/pictures/pictures.ts';
import { createReadingLimit } from '../../downloader/posts/reading-limit.ts';
import { createPostResolver, type PostResolverOptions } from '../../downloader/posts/resolver.ts';
import { createRemoteByteSource } from '../../downloader/streaming/byte-source.ts';
import { createTickets } from '../../downloader/tickets/tickets.ts';
import { createDownloaderMetrics } from '../../server/metrics/downloader.ts';
import { watchLoop } from '../../server/metrics/event-loop.ts';
import type { ServerParts } from '../../server/parts.ts';
import { createConversionStore } from '../../stores/embedded/conversions/conversion-store.ts';
import type { S3Client } from '../../stores/scale-out/s3/s3-client.ts';
import type { Environment } from '../process/environment.ts';
import { pickEncoders } from './encoders.ts';
import { openKeptFiles } from './kept-files.ts';
import { assemblePlatform } from './platform.ts';
import type { SharedRedis } from './redis.ts';

export interface DownloaderOptions {
  readonly environment: Environment;
  /** Signs tickets. */
  readonly secret: Uint8Array;
  /** Where finished conversions are kept. */
  readonly folder: string;
  /** Conversions at once. */
  readonly parallel: number;
  /** The `PATH` variable, where programs are looked for. */
  readonly searchPath: string;
  readonly metrics: Registry;
  readonly logger: Logger;
  /** Posts that are taken down here. */
  readonly isWithheld: NonNullable<PostResolverOptions['isWithheld']>;
  /** What instances have in common; null for one that is alone. */
  readonly redis: Pick<SharedRedis, 'breakers' | 'openWork'> | null;
  /** Where finished conversions are kept for all instances; null for one that keeps its own. */
  readonly s3: S3Client | null;
}

/** What the product exists for, put together. */
export interface Downloader {
  readonly parts: Pick<
    ServerParts,
    'resolver' | 'readingLimit' | 'soundPresence' | 'network' | 'pictures' | 'tickets' | 'conversions'
  >;
  /** Names of the encoders, the preferred one first. */
  readonly encoders: readonly string[];
  /** Loads what the first conversion would have to wait for. */
  warm(): Promise<void>;
  /** @param grace what runs may end until it is aborted */
  close(grace: AbortSignal): Promise<void>;
}

/** Opens everything between a pasted link and a file. */
export async function assembleDownloader(options: DownloaderOptions): Promise<Downloader> {
  const { environment, secret, folder, parallel, searchPath, metrics, logger, redis } = options;
  const observers = createDownloaderMetrics(metrics, logger);
  const { network, extractor, ways } = await assemblePlatform(environment, {
    searchPath,
    observe: observers.network,
    onUnreachable: (error) => logger.warn({ err: error }, 'a way to the platform cannot be used'),
    sharedBreakers: redis?.breakers ?? null,
  });
  const readingLimit = createReadingLimit({ isBusy: watchLoop() });
  const resolver = createPostResolver({
    extractors: [extractor],
    readingLimit,
    honourSavingOff: environment.HONOUR_DOWNLOAD_SETTING,
    isWithheld: options.isWithheld,
    sharedWork: redis?.openWork('answers') ?? null,
    observer: observers.resolver,
  });
  observers.watchStrategies(resolver);
  observers.watchWays(ways);
  const [encoders, { kept: keptFiles }] = await Promise.all([
    pickEncoders(environment, searchPath, parallel, logger),
    openKeptFiles(environment, folder, options.s3, logger),
  ]);
  const pictureProcesses = new PictureProcesses();
  const pictures = createPictures(network, pictureProcesses);
  const movies = new RecentMovies();
  const maker = createSoundMaker({
    resolver,
    encoders,
    openSource: (source, refresh, knownSize) =>
      createRemoteByteSource({ network, source, refresh, knownSize }),
    movies,
    maxRequests: environment.SOUND_REQUESTS,
    observe: observers.sounds,
    readCover: createCoverReader({
      pictures,
      onMissing: (error) => logger.info({ err: error }, 'mp3 without its cover'),
    }),
  });
  const conversions = createConversions({
    maker,
    store: createConversionStore({ now: () => performance.now() }),
    keptFiles,
    parallel,
    maxWaiting: environment.CONVERSIONS_WAITING,
    now: () => performance.now(),
    observer: observers.conversions,
  });
  return {
    parts: {
      resolver,
      readingLimit,
      soundPresence: createSoundPresence({
        openSource: (source) => createRemoteByteSource({ network, source }),
        movies,
        canEncode: (config) => encoders.some((encoder) => encoder.canEncode(config)),
      }),
      network,
      pictures,
      tickets: createTickets({
        secret,
        now: Date.now,
        ways: environment.OUTBOUND_PROXIES?.map(({ id }) => id) ?? [],
      }),
      conversions,
    },
    encoders: encoders.map(({ name }) => name),
    warm: async () => encoders[0]?.warm(),
    async close(grace) {
      await conversions.close(grace);
      pictureProcesses.close();
      await Promise.all([keptFiles.close(), network.close(), ...encoders.map((encoder) => encoder.close())]);
    },
  };
}
