import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createConversions } from '../../downloader/conversions/conversions.ts';
import { createCoverReader } from '../../downloader/conversions/cover.ts';
import { createSoundMaker } from '../../downloader/conversions/make-sound.ts';
import type { Extractor } from '../../downloader/extractors/extractor.ts';
import { createTiktokExtractor } from '../../downloader/extractors/tiktok/extractor.ts';
import { tiktokHosts } from '../../downloader/extractors/tiktok/hosts.ts';
import { RecentMovies } from '../../downloader/media/recent-movies.ts';
import type { MediaNetwork, NetworkEvent } from '../../downloader/network/contracts.ts';
import { createPlatformNetwork } from '../../downloader/network/platform-network.ts';
import { createSoundPresence } from '../../downloader/options/sound-presence.ts';
import { PictureProcesses } from '../../downloader/pictures/picture-processes.ts';
import { createPictures } from '../../downloader/pictures/pictures.ts';
import { createReadingLimit } from '../../downloader/posts/reading-limit.ts';
import { createPostResolver, type PostResolverOptions } from '../../downloader/posts/resolver.ts';
import { createRemoteByteSource } from '../../downloader/streaming/byte-source.ts';
import { createTickets } from '../../downloader/tickets/tickets.ts';
import { createDownloaderMetrics } from '../../server/metrics/downloader.ts';
import { watchLoopDelay } from '../../server/metrics/loop-delay.ts';
import type { ServerParts } from '../../server/parts.ts';
import { createConversionStore } from '../../stores/embedded/conversions/conversion-store.ts';
import { openKeptFilesFolder } from '../../stores/embedded/kept-files-folder.ts';
import type { Environment } from '../process/environment.ts';
import { pickEncoders } from './encoders.ts';

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

/**
 * The way out to TikTok and what reads its posts: also all that the operator's canary needs.
 * @param searchPath the `PATH` variable, for the programs that an operator's own yt-dlp starts
 */
export function assemblePlatform(
  environment: Environment,
  searchPath: string,
  observe?: (event: NetworkEvent) => void,
): { network: MediaNetwork; extractor: Extractor } {
  const { HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS, YTDLP_PATH, USER_AGENTS } = environment;
  const proxy = {
    ...(HTTPS_PROXY !== undefined && { httpsProxy: HTTPS_PROXY }),
    ...(NO_PROXY !== undefined && { noProxy: NO_PROXY }),
  };
  const network = createPlatformNetwork({
    hosts: tiktokHosts,
    proxy,
    ...(observe && { observe }),
  });
  const ytdlpEnvironment = Object.fromEntries(
    Object.entries({ PATH: searchPath, HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE: NODE_EXTRA_CA_CERTS }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const extractor = createTiktokExtractor({
    network,
    ...(USER_AGENTS && { userAgents: USER_AGENTS }),
    ytdlp: YTDLP_PATH === undefined ? null : { path: YTDLP_PATH, env: ytdlpEnvironment },
  });
  return { network, extractor };
}

/** Opens everything between a pasted link and a file. */
export async function assembleDownloader(options: DownloaderOptions): Promise<Downloader> {
  const { environment, secret, folder, parallel, searchPath, metrics, logger } = options;
  const observers = createDownloaderMetrics(metrics, logger);
  const { network, extractor } = assemblePlatform(environment, searchPath, observers.network);
  const loopDelay = watchLoopDelay();
  const readingLimit = createReadingLimit({ delayMs: () => loopDelay.delayMs });
  const resolver = createPostResolver({
    extractors: [extractor],
    readingLimit,
    honourSavingOff: environment.HONOUR_DOWNLOAD_SETTING,
    isWithheld: options.isWithheld,
    observer: observers.resolver,
  });
  observers.watchStrategies(resolver);
  const [encoders, keptFiles] = await Promise.all([
    pickEncoders(environment, searchPath, parallel, logger),
    openKeptFilesFolder({
      folder,
      maxBytes: environment.KEPT_FILES_MB * 2 ** 20,
      now: Date.now,
      onError: (error) => logger.error({ err: error }, 'a kept file could not be deleted'),
    }),
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
      tickets: createTickets({ secret, now: Date.now }),
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
