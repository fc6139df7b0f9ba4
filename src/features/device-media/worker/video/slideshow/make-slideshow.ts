import {
  BufferTarget,
  Mp4OutputFormat,
  Output,
  Quality,
  type VideoSample,
  VideoSampleSource,
} from 'mediabunny';
import { maxSoundS, timeSlides } from '../../../../../downloader/slideshow/plan.ts';
import type { Made, SlideshowOrder } from '../../messages.ts';
import type { Teller } from '../../serve.ts';
import { contextOf, sampleOf } from '../canvas-sample.ts';
import { readParts, type VideoParts } from './read-parts.ts';
import { openSlides, type PlannedFrame, planFrames, type Slides } from './slides.ts';
import { openSound, type VideoSound } from './sound.ts';

/** Bits a second: about what the server's take of pictures with much detail. */
const bitrate = 2_500_000;
/** A long video is kept as small as the server's: its bytes are in memory. */
const maxVideoBytes = 64 * 2 ** 20;
/** Players jump to key frames. */
const keyFrameS = 5;

/** A sound that cannot be used costs the video its sound only, as at the server. */
async function openUsable({ head, sound: bytes }: VideoParts): Promise<VideoSound | null> {
  if (bytes === null || head.sound === null) return null;
  try {
    const sound = await openSound(bytes, head.sound);
    if (sound.durationS > maxSoundS) throw new Error(`a sound of ${sound.durationS} s`);
    return sound;
  } catch (thrown) {
    // For developers; the page says that there is none.
    console.debug('the sound of the slideshow', thrown);
    return null;
  }
}

/** The share of the progress until everything has arrived, as in the server's. */
const arrivedShare = 0.4;

/**
 * Makes an mp4 (H.264, AAC, index first) of the pictures and the sound that the server sends.
 * @throws Error when this browser cannot
 */
export async function makeSlideshow({ parts: address }: SlideshowOrder, tell: Teller): Promise<Made> {
  const response = await fetch(address);
  if (!response.ok || response.body === null) throw new Error(`${address} answers ${response.status}`);
  const parts = await readParts(response.body, (part) => tell.progress(part * arrivedShare));
  return makeVideo(parts, (part) => tell.progress(arrivedShare + part * (1 - arrivedShare)));
}

/** As the server names such a video. */
const soundlessName = (name: string) => name.replace(/\.mp4$/, '-no-sound.mp4');

async function makeVideo(parts: VideoParts, progress: (fraction: number) => void): Promise<Made> {
  const { head, pictures } = parts;
  const slides = await openSlides(pictures);
  if (slides === null) throw new Error('no picture can be decoded');
  const sound = await openUsable(parts);
  const timing = timeSlides(slides.count, sound?.durationS ?? null);
  const picture = new VideoSampleSource({
    codec: 'avc',
    quality: new Quality({
      bitrate: Math.min(bitrate, Math.floor((maxVideoBytes * 8) / timing.durationS)),
      bitrateMode: 'variable',
    }),
    keyFrameInterval: keyFrameS,
    latencyMode: 'quality',
  });
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: 'in-memory' }),
    target: new BufferTarget(),
  });
  output.addVideoTrack(picture);
  if (sound !== null) output.addAudioTrack(sound.source);
  const { title, artist, sourceUrl } = head.tags;
  output.setMetadataTags({ title, artist, comment: sourceUrl });
  await output.start();
  const drawing = new FadingSlides(slides);
  const drawAll = async () => {
    for (const frame of planFrames(slides.count, timing)) {
      const sample = await drawing.draw(frame);
      await picture.add(sample);
      sample.close();
      progress((frame.atS + frame.durationS) / timing.durationS);
    }
    picture.close();
  };
  await Promise.all([drawAll(), sound?.write(timing.durationS)]);
  await output.finalize();
  const { buffer } = output.target;
  if (buffer === null) throw new Error('no file');
  const isSoundLost = parts.isSoundLost || (parts.sound !== null && sound === null);
  const missing = head.slides - slides.count;
  return {
    file: new File([buffer], isSoundLost ? soundlessName(head.name) : head.name, { type: 'video/mp4' }),
    lacks: { ...(isSoundLost && { no_sound: 'lost' }), ...(missing > 0 && { missing_photos: missing }) },
  };
}

/** Draws pictures and what is between them. It holds two: the one that is seen, and the next one once that is needed. */
class FadingSlides {
  readonly #slides: Slides;
  readonly #context: OffscreenCanvasRenderingContext2D;
  /** By their number modulo two. */
  readonly #held: readonly { readonly canvas: OffscreenCanvas; slide: number }[];

  constructor(slides: Slides) {
    const { width, height } = slides.size;
    this.#slides = slides;
    this.#context = contextOf(new OffscreenCanvas(width, height));
    this.#held = [0, 1].map(() => ({ canvas: new OffscreenCanvas(width, height), slide: -1 }));
  }

  async #picture(slide: number): Promise<OffscreenCanvas> {
    const held = this.#held[slide % 2];
    if (held === undefined) throw new RangeError(`${slide}`);
    if (held.slide !== slide) {
      await this.#slides.draw(slide, held.canvas);
      held.slide = slide;
    }
    return held.canvas;
  }

  async draw({ slide, next, atS, durationS }: PlannedFrame): Promise<VideoSample> {
    const context = this.#context;
    context.drawImage(await this.#picture(slide), 0, 0);
    if (next > 0) {
      const following = await this.#picture(slide + 1);
      context.globalAlpha = next;
      context.drawImage(following, 0, 0);
      context.globalAlpha = 1;
    }
    return sampleOf(context, { timestamp: atS, duration: durationS });
  }
}
