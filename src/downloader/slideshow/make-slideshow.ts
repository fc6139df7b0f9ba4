import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asFailure, Failure } from '../../failures/failures.ts';
import { together } from '../async/parallel.ts';
import { type Lacks, markedLacking } from '../conversions/lacks.ts';
import type { PreparedFile, SlideshowMaker } from '../conversions/source.ts';
import type { ByteSource } from '../media/contracts.ts';
import { tagsOfPost } from '../media/tags.ts';
import type { MediaSource, Post } from '../post/post.ts';
import { type RefreshSource, withFreshSource } from '../posts/fresh-source.ts';
import { encodeVideo, type VideoTools } from './encode-video.ts';
import { leastSeconds, timeSlides } from './plan.ts';
import { asDiskFailure, type Scratch } from './scratch.ts';
import { readSlides, type SlideReader } from './slides.ts';
import { type SoundFile, soundOrNone, writeSoundFile } from './sound.ts';

export interface SlideshowMakerOptions extends SlideReader {
  /** Null where no ffmpeg can make videos. */
  readonly findTools: () => Promise<VideoTools | null>;
  readonly scratch: Scratch;
  /** @param refresh reads the post again, for addresses that have expired */
  readonly openSource: (source: MediaSource, refresh: RefreshSource) => ByteSource;
}

/** Shares of the progress for the first part, and for the pictures after it: each takes about half of the time. */
const begun = 0.01;
const picturesShare = 0.4;

/** Makes videos of slideshows: reads pictures and sound, has ffmpeg put them together, and gives the finished file. */
export function createSlideshowMaker(options: SlideshowMakerOptions): SlideshowMaker {
  const { resolver, openSource, scratch, findTools } = options;

  async function readSound(
    tools: VideoTools,
    post: Post,
    folder: string,
    signal: AbortSignal,
  ): Promise<SoundFile | null> {
    if (post.sound === null) return null;
    const { file, refresh } = await withFreshSource(resolver, post, signal, (fresh) => {
      if (fresh.sound === null) throw new Failure('sound_missing', { note: 'the post has lost its sound' });
      return fresh.sound;
    });
    const source = openSource(file.source, refresh);
    return await writeSoundFile(tools, source, folder, leastSeconds(post.pictures.length), signal);
  }

  async function make(
    tools: VideoTools,
    post: Post,
    folder: string,
    progress: (fraction: number) => void,
    signal: AbortSignal,
  ) {
    progress(begun);
    const [slides, sound] = await together(signal, (both) => [
      readSlides(options, post, folder, (part) => progress(begun + part * (picturesShare - begun)), both),
      soundOrNone(() => readSound(tools, post, folder, both), both),
    ]);
    const output = join(folder, 'video.mp4');
    await encodeVideo(
      tools,
      {
        slides: slides.path,
        count: slides.count,
        sound: sound?.path ?? null,
        timing: timeSlides(slides.count, sound?.durationS ?? null),
        tags: tagsOfPost(post),
        output,
      },
      (part) => progress(picturesShare + part * (1 - picturesShare)),
      signal,
    );
    const isSoundless = post.sound !== null && sound === null;
    return { output, isSoundless, missingPictures: post.pictures.length - slides.count };
  }

  return {
    async prepare({ work, signal, progress }) {
      const tools = await findTools();
      if (tools === null) throw new Failure('conversion_failed', { note: 'no ffmpeg that makes videos' });
      const post = await resolver.resolve(work.post, signal);
      if (post.kind !== 'photos' || post.pictures.length === 0)
        throw new Failure('option_missing', { note: 'not a slideshow' });
      const folder = await scratch.open();
      try {
        const { output, ...lacks } = await make(tools, post, folder.path, progress, signal);
        return await giveFile(output, lacks, folder.delete);
      } catch (thrown) {
        await folder.delete();
        signal.throwIfAborted();
        throw asFailure(asDiskFailure(thrown));
      }
    },
  };
}

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}

/** An existing file. Its validator is computed from its bytes, which another version of ffmpeg may make differently. */
async function giveFile(path: string, lacks: Lacks, release: () => Promise<void>): Promise<PreparedFile> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  const { size } = await stat(path);
  return {
    length: size,
    etag: markedLacking(`"${hash.digest('base64url').slice(0, 22)}"`, lacks),
    chunks: readFile(path),
    release,
  };
}
