import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createCoverReader } from '../../../downloader/conversions/sound/cover.ts';
import { createSoundMaker } from '../../../downloader/conversions/sound/make-sound.ts';
import type { FileMaker } from '../../../downloader/conversions/source.ts';
import type { Mp3Encoder } from '../../../downloader/media/contracts.ts';
import type { FfmpegPrograms } from '../../../downloader/media/ffmpeg-process.ts';
import { FfmpegEncoder } from '../../../downloader/media/mp3/ffmpeg-encoder.ts';
import { type FoundFfmpeg, findFfmpeg } from '../../../downloader/media/mp3/find-ffmpeg.ts';
import { WasmEncoder } from '../../../downloader/media/mp3/wasm/wasm-encoder.ts';
import { Mp4IndexCache } from '../../../downloader/media/mp4-index-cache.ts';
import { PictureProcesses } from '../../../downloader/pictures/picture-processes.ts';
import { createPictures } from '../../../downloader/pictures/pictures.ts';
import type { MediaSource } from '../../../downloader/post/post.ts';
import type { RefreshSource } from '../../../downloader/posts/fresh-source.ts';
import { createReadingLimit } from '../../../downloader/posts/platform-requests.ts';
import { createPostResolver, type PostResolverOptions } from '../../../downloader/posts/resolver.ts';
import { findVideoTools, type VideoTools } from '../../../downloader/slideshow/encode-video.ts';
import {
  createSlideshowMaker,
  type SlideshowMakerOptions,
} from '../../../downloader/slideshow/make-slideshow.ts';
import { openScratch } from '../../../downloader/slideshow/scratch.ts';
import { createRemoteByteSource } from '../../../downloader/streaming/byte-source.ts';
import type { Environment } from '../../../process/environment.ts';
import { EnvironmentError } from '../../../process/variables.ts';
import { createDownloaderMetrics } from '../../../server/metrics/downloader.ts';
import { watchLoop } from '../../../server/metrics/process.ts';
import type { InstanceWatch } from '../../../server/tally/instances.ts';
import type { ObjectStore } from '../../../stores/contracts/object-store.ts';
import { openFileStores } from '../../../stores/open/file-stores.ts';
import type { SharedRedis } from '../../../stores/open/redis.ts';
import { conversionsAtOnce } from './conversions.ts';
import { assemblePlatform } from './platform.ts';

const testLimitMs = 20_000;

interface SlideshowParts extends Pick<SlideshowMakerOptions, 'resolver' | 'pictures' | 'openSource'> {
  readonly ffmpeg: FfmpegPrograms | null;
  /** Folder of finished conversions. */
  readonly folder: string;
  readonly logger: Logger;
}

/** Makes videos of slideshows if a suitable ffmpeg exists; tested at the first request. */
async function assembleSlideshows({ ffmpeg, folder, logger, ...parts }: SlideshowParts) {
  const scratch = await openScratch(join(folder, 'slideshows'));
  let found: Promise<VideoTools | null> | null = ffmpeg === null ? Promise.resolve(null) : null;

  async function find(programs: FfmpegPrograms): Promise<VideoTools | null> {
    try {
      const tools = await findVideoTools(programs, scratch, AbortSignal.timeout(testLimitMs));
      logger.info(
        { videos: tools !== null },
        tools ? 'ffmpeg makes videos of slideshows' : 'no videos of slideshows',
      );
      return tools;
    } catch (error) {
      // A full disk or a busy machine: a later attempt may succeed.
      found = null;
      logger.warn({ err: error }, 'ffmpeg could not be tested for videos');
      return null;
    }
  }

  const findTools = (): Promise<VideoTools | null> => {
    if (found === null && ffmpeg !== null) found = find(ffmpeg);
    return found ?? Promise.resolve(null);
  };
  return { maker: createSlideshowMaker({ ...parts, findTools, scratch }), findTools };
}

const findLimitMs = 10_000;

/**
 * The encoders of this machine, the preferred one first: ffmpeg if present, and always WebAssembly; and that ffmpeg.
 * @throws EnvironmentError when the operator's own ffmpeg cannot be used
 */
async function pickEncoders(
  { FFMPEG_PATH }: Environment,
  searchPath: string,
  workers: number,
  logger: Logger,
): Promise<{ encoders: Mp3Encoder[]; ffmpeg: FoundFfmpeg | null }> {
  const found = await findFfmpeg(FFMPEG_PATH, searchPath, AbortSignal.timeout(findLimitMs)).catch(
    (error: Error) => {
      throw new EnvironmentError(`FFMPEG_PATH: ${error.message}`, { cause: error });
    },
  );
  logger.info(
    { ffmpeg: found?.version ?? null },
    found ? 'converting with ffmpeg' : 'converting with WebAssembly',
  );
  const encoders = [...(found ? [new FfmpegEncoder(found)] : []), new WasmEncoder({ workers })];
  return { encoders, ffmpeg: found };
}

export interface SoundsOptions {
  readonly environment: Environment;
  /** Folder of finished conversions. */
  readonly folder: string;
  /** The `PATH` variable, where programs are looked for. */
  readonly searchPath: string;
  readonly metrics: Registry;
  readonly logger: Logger;
  /** Posts that are taken down here. */
  readonly isWithheld: NonNullable<PostResolverOptions['isWithheld']>;
  /** The state shared by instances; null for a single instance. */
  readonly redis: Pick<SharedRedis, 'breakers' | 'openSingleFlight'> | null;
  /** The shared store of finished conversions; null when the instance stores its own. */
  readonly objects: ObjectStore | null;
  /** Sums for the operator; null where nobody wants them. */
  readonly watch: Pick<InstanceWatch, 'readings' | 'breakerChanged' | 'resolved'> | null;
}

/** Opens everything between a post's name and its sound. */
export async function assembleSounds(options: SoundsOptions) {
  const { environment, folder, searchPath, metrics, logger, redis, watch } = options;
  const observers = createDownloaderMetrics(metrics, logger, environment.CONVERSIONS_WAITING);
  const { network, extractors, egresses } = await assemblePlatform(environment, {
    searchPath,
    observe: observers.network,
    unreadable: observers.unreadable,
    readings: watch?.readings,
    onBreaker(change) {
      observers.breaker(change);
      watch?.breakerChanged(change);
    },
    onUnreachable: (error) => logger.warn({ err: error }, 'an egress to the platform is unusable'),
    sharedBreakers: redis?.breakers ?? null,
  });
  const readingLimit = createReadingLimit({ isBusy: watchLoop() });
  const resolver = createPostResolver({
    extractors,
    readingLimit,
    honourSavingOff: environment.HONOUR_DOWNLOAD_SETTING,
    isWithheld: options.isWithheld,
    singleFlight: redis?.openSingleFlight('answers') ?? null,
    observer: {
      resolved(event) {
        observers.resolver.resolved(event);
        watch?.resolved(event);
      },
    },
  });
  observers.watchStrategies(resolver);
  observers.watchEgresses(egresses);
  const [{ encoders, ffmpeg }, fileStores] = await Promise.all([
    pickEncoders(environment, searchPath, conversionsAtOnce(environment), logger),
    openFileStores(environment, folder, options.objects, logger),
  ]);
  const pictureProcesses = new PictureProcesses();
  const pictures = createPictures(network, pictureProcesses);
  const movies = new Mp4IndexCache();
  const openSource = (source: MediaSource, refresh: RefreshSource, knownSize: number | null = null) =>
    createRemoteByteSource({ network, source, refresh, knownSize });
  const slideshows = await assembleSlideshows({ ffmpeg, folder, logger, resolver, pictures, openSource });
  const sounds = createSoundMaker({
    resolver,
    encoders,
    openSource,
    movies,
    maxRequests: environment.SOUND_REQUESTS,
    observe: observers.sounds,
    readCover: createCoverReader({
      pictures,
      onMissing: (error) => logger.info({ err: error }, 'mp3 without its cover'),
    }),
  });
  const maker: FileMaker = {
    prepare: ({ work, ...request }) =>
      work.kind === 'slideshow'
        ? slideshows.maker.prepare({ ...request, work })
        : sounds.prepare({ ...request, work }),
  };
  return {
    ...{ network, extractors, egresses, resolver, readingLimit, encoders, pictures, movies, sounds },
    /** The parts of conversions. */
    conversionParts: {
      ...{ environment, maker, fileStores, observer: observers.conversions, metrics },
      findVideoTools: slideshows.findTools,
    },
    /** Loads what the first conversion would have to wait for. */
    warm: async () => encoders[0]?.warm(),
    async close() {
      pictureProcesses.close();
      await Promise.all([
        fileStores.kept.close(),
        network.close(),
        ...encoders.map((encoder) => encoder.close()),
      ]);
    },
  };
}
