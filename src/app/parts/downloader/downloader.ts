import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Extractor } from '../../../downloader/extractors/extractor.ts';
import { recogniseLink } from '../../../downloader/links/recognise.ts';
import { createFileChooser } from '../../../downloader/options/file-choice.ts';
import { canaryPost } from '../../../downloader/posts/canary/default-link.ts';
import { createRemoteByteSource } from '../../../downloader/streaming/byte-source.ts';
import { createTickets } from '../../../downloader/tickets/tickets.ts';
import type { SharedRedis } from '../../../stores/open/redis.ts';
import { assembleConversions, type ConversionParts } from './conversions.ts';
import { assembleSounds, type SoundsOptions } from './sounds.ts';

const everyMs = 5000;

/**
 * Tries strategies that are due, without a visitor: what has failed is asked again, and what nobody needs is known to
 * work before it is needed.
 * @param idleMs a strategy that was not asked for so long is due; infinite for never
 * @returns a function that ends it
 */
function startTrials(
  extractors: readonly Extractor[],
  idleMs: number,
  logger: Pick<Logger, 'error'>,
): () => Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const known = recogniseLink(
    canaryPost,
    extractors.map(({ links }) => links),
  );
  async function run(extractor: Extractor): Promise<void> {
    const usual = 'id' in known && known.platform === extractor.platform ? known : null;
    while (!signal.aborted)
      try {
        await pause(everyMs, undefined, { signal, ref: false });
        await extractor.tryWhenDue(usual, idleMs, signal);
      } catch (error) {
        if (!signal.aborted) logger.error({ err: error }, 'strategies could not be tried');
      }
  }
  const running = Promise.all(extractors.map(run));
  return async () => {
    ending.abort();
    await running;
  };
}

interface DownloaderOptions extends SoundsOptions {
  /** Signs tickets. */
  readonly secret: Uint8Array;
  readonly redis: SharedRedis | null;
}

/** Opens everything between a pasted link and a file. */
export async function assembleDownloader(options: DownloaderOptions) {
  const { environment, secret } = options;
  const sounds = await assembleSounds(options);
  const { conversionParts, conversionsNow } = countConversions(sounds.conversionParts);
  const { network, extractors, egresses, resolver, readingLimit, encoders, pictures, movies } = sounds;
  const idleMs = environment.FALLBACK_TRIAL_MINUTES * 60_000 || Number.POSITIVE_INFINITY;
  const endTrials = startTrials(extractors, idleMs, options.logger);
  const { conversions, canMakeSlideshows, close } = await assembleConversions(conversionParts, options.redis);
  return {
    parts: {
      extractors,
      egresses,
      resolver,
      readingLimit,
      fileChooser: createFileChooser({
        openSource: (source) => createRemoteByteSource({ network, source }),
        movies,
        canEncode: (config) => encoders.some((encoder) => encoder.canEncode(config)),
        canMakeSlideshows,
      }),
      network,
      pictures,
      tickets: createTickets({
        secret,
        now: Date.now,
        egresses: environment.OUTBOUND_PROXIES?.map(({ id }) => id) ?? [],
      }),
      conversions,
      openFrames: sounds.sounds.openFrames,
    },
    /** Conversions of this instance now. */
    conversionsNow,
    /** Names of the encoders, the preferred one first. */
    encoders: encoders.map(({ name }) => name),
    /** Loads what the first conversion would have to wait for. */
    warm: sounds.warm,
    /** @param grace what runs may end until it is aborted */
    async close(grace: AbortSignal) {
      await endTrials();
      await close(grace);
      await sounds.close();
    },
  };
}

/** The downloader, assembled. */
export type Downloader = Awaited<ReturnType<typeof assembleDownloader>>;

/** The same parts, whose conversions are known while they wait and run. */
function countConversions<Parts extends ConversionParts>(parts: Parts) {
  let [waiting, running] = [0, 0];
  const { observer } = parts;
  return {
    conversionsNow: () => ({ waiting, running }),
    conversionParts: {
      ...parts,
      observer: {
        ...observer,
        waiting(count: number) {
          waiting = count;
          observer.waiting(count);
        },
        running(count: number) {
          running = count;
          observer.running(count);
        },
      },
    },
  };
}
