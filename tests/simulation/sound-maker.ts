import { etagOf, type FileMaker } from '../../src/downloader/conversions/source.ts';
import type { PostReference } from '../../src/downloader/post/post.ts';
import { Failure } from '../../src/failures/failures.ts';
import { dice } from '../support/dice.ts';
import type { VirtualTime } from './virtual-time.ts';

const chunks = 4;
const chunkBytes = 500;
const hangsMs = 3_600_000;

/**
 * Simulates the time but not the bytes of conversions: reads the post, then its parts. Some fail, some never end, some
 * are slow to stop.
 * @param readPost throws the product's failures
 */
export function simulateSoundMaker(
  seed: number,
  time: VirtualTime,
  readPost: (post: PostReference, signal: AbortSignal) => Promise<unknown>,
): FileMaker {
  const random = dice(seed ^ 0x50d);

  /** @throws Failure, or the signal's reason, perhaps a moment later */
  async function work(mostMs: number, signal: AbortSignal): Promise<void> {
    const trouble = random.between(0, 1);
    if (trouble < 0.01) throw new Failure('media_unavailable');
    try {
      await time.pause(trouble < 0.0105 ? hangsMs : random.between(50, mostMs), signal);
    } catch (reason) {
      if (trouble > 0.9) await time.pause(random.between(0, 500));
      throw reason;
    }
  }

  async function* make(mostMs: number, signal: AbortSignal) {
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      await work(mostMs, signal);
      yield new Uint8Array(chunkBytes);
    }
  }

  return {
    async prepare({ work: sound, fast, signal }) {
      await readPost(sound.post, signal);
      await work(1500, signal);
      const length = chunks * chunkBytes;
      return {
        length,
        etag: etagOf(sound, length, ['simulated']),
        chunks: make(fast ? 800 : 2000, signal),
      };
    },
  };
}
