import {
  BlobSource,
  Conversion,
  type ConversionVideoOptions,
  canEncodeAudio,
  Input,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
  Quality,
} from 'mediabunny';
import {
  type Encoding,
  pictureBudget,
  planFit,
  type Size,
  smallerPicture,
} from '../../../video/video-plan.ts';
import { type Made, Refusal, type VideoOrder } from '../../messages.ts';
import type { Teller } from '../../serve.ts';
import { CaptionedPicture } from './captioned-picture.ts';
import { indexFirst, type TextTrack, topBoxes } from './mp4-index.ts';
import { openScratch, type Scratch } from './scratch.ts';
import { createSteering, type Steering, steered } from './steered-encoder.ts';

/** The share of the progress until the video has arrived. */
const arrivedShare = 0.15;
/** Players jump to key frames. */
const keyFrameS = 5;
/** Frames by which their rate is known. */
const mostCounted = 1000;
/** The first try's share of the progress: a second one is rare. */
const firstShare = 0.9;

/**
 * Makes another mp4 of a video: H.264 and its own sound, of a size, with captions.
 * @throws Refusal, or Error
 */
export async function convertVideo(order: VideoOrder, tell: Teller): Promise<Made> {
  const { durationS, captions, name } = order;
  const response = await fetch(order.source);
  if (!response.ok || response.body === null)
    throw new Refusal('broken', `${order.source} answers ${response.status}`);
  const sourceBytes = Number(response.headers.get('content-length') ?? 0);
  const madeBytes = order.encoding === null ? sourceBytes : (order.encoding.bitrate * durationS) / 8;
  const scratch = await openScratch(order.folder, sourceBytes + Math.max(madeBytes, order.maxBytes ?? 0));
  const source = await arrived(response.body, sourceBytes, scratch, (part) =>
    tell.progress(part * arrivedShare),
  );
  const rest = (part: number) => tell.progress(arrivedShare + part * (1 - arrivedShare));
  const original = await openOriginal(source, order);
  const encoding = order.encoding ?? (await neededEncoding(original, order.maxBytes));
  const encoded = encoding === null ? source : await encodeToFit(original, encoding, order, scratch, rest);
  const text = captions === null || captions.isBurned ? null : textOf(captions, original, encoding !== null);
  // What is encoded has them already.
  const tags = encoding === null ? order.tags : null;
  const file = new File(await indexFirst(encoded, text, tags), name, { type: 'video/mp4' });
  if (order.maxBytes !== null && file.size > order.maxBytes)
    throw new Refusal('bound', `${file.size} of ${order.maxBytes} bytes`);
  return { file };
}

/** How a video is encoded that was to be copied, and turned out larger than its bound; null where it is copied. */
async function neededEncoding(
  { source, video, durationS }: Original,
  maxBytes: number | null,
): Promise<Encoding | null> {
  if (maxBytes === null || source.size <= maxBytes) return null;
  return planFit({ durationS, ...(await displaySize(video)) }, maxBytes);
}

async function arrived(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  bytes: number,
  scratch: Scratch,
  progress: (fraction: number) => void,
): Promise<Blob> {
  try {
    const file = await scratch.keep('source.mp4', body, (had) => progress(bytes === 0 ? 0 : had / bytes));
    if (bytes > 0 && file.size !== bytes) throw new Refusal('broken', `${file.size} of ${bytes} bytes`);
    return file;
  } catch (thrown) {
    // `fetch` throws it where the line breaks.
    if (thrown instanceof TypeError) throw new Refusal('broken', thrown.message, { cause: thrown });
    throw thrown;
  }
}

/** The video that has arrived. */
interface Original {
  readonly source: Blob;
  readonly video: InputVideoTrack;
  readonly input: Input;
  /** Seconds before the part that was wanted. */
  readonly leadS: number;
  /** Length of the wanted part, in seconds. */
  readonly durationS: number;
}

async function openOriginal(source: Blob, { isPart, durationS }: VideoOrder): Promise<Original> {
  // A reader of media makes do with what is there of a file that broke off.
  await topBoxes(source);
  const input = new Input({ source: new BlobSource(source), formats: [MP4] });
  try {
    const video = await input.getPrimaryVideoTrack();
    if (video === null) throw new Refusal('unreadable', 'no picture');
    const wholeS = await input.computeDuration();
    const leadS = isPart ? Math.max(0, wholeS - durationS) : 0;
    return { source, input, video, leadS, durationS: wholeS - leadS };
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown;
    throw new Refusal('unreadable', String(thrown), { cause: thrown });
  }
}

/** Captions for a track; one that is copied has what is before the part as well. */
function textOf(
  { cues, language }: NonNullable<VideoOrder['captions']>,
  { leadS, durationS }: Original,
  isTrimmed: boolean,
): TextTrack {
  const byMs = isTrimmed ? 0 : Math.round(leadS * 1000);
  const moved = cues.map((cue) => ({ ...cue, startMs: cue.startMs + byMs, endMs: cue.endMs + byMs }));
  return { cues: moved, language, durationS: durationS + byMs / 1000 };
}

/** Encodes with a bit rate that is corrected on the way; once more where that went wrong. */
async function encodeToFit(
  original: Original,
  planned: Encoding,
  order: VideoOrder,
  scratch: Scratch,
  progress: (fraction: number) => void,
): Promise<Blob> {
  const { maxBytes } = order;
  const { durationS } = original;
  const make = async (encoding: Encoding, name: string, steering: Steering | null, told = progress) =>
    steered(
      {
        size: await storedSize(original.video, encoding),
        framerate: await framesPerS(original.video),
        steering,
      },
      async () => encode(original, encoding, order, await scratch.create(name), told),
    );
  if (maxBytes === null) return make(planned, 'made.mp4', null);
  const budgetBytes = pictureBudget(planned, await factsOf(original), maxBytes);
  const bitrate = Math.floor((budgetBytes * 8) / durationS);
  if (bitrate <= 0) throw new Refusal('bound', `${budgetBytes} bytes for the picture`);
  const steering = () => createSteering({ bitrate, budgetBytes, durationS });
  const first = { ...planned, bitrate };
  const made = await make(first, 'made.mp4', steering(), (part) => progress(part * firstShare)).catch(
    (thrown: unknown) => {
      // An encoder that cannot be corrected may still encode.
      if (thrown instanceof Refusal && thrown.reason === 'encoder') return null;
      throw thrown;
    },
  );
  if (made !== null && made.size <= maxBytes) return made;
  // One that stays above its bit rate cannot draw so large a picture with fewer bits.
  const size =
    made === null ? planned : smallerPicture(planned, budgetBytes / (budgetBytes + made.size - maxBytes));
  return make({ ...size, bitrate }, 'again.mp4', made === null ? null : steering(), (part) =>
    progress(firstShare + part * (1 - firstShare)),
  );
}

async function framesPerS(video: InputVideoTrack): Promise<number> {
  const { averagePacketRate } = await video.computePacketStats(mostCounted);
  return Math.max(1, averagePacketRate);
}

async function factsOf({
  source,
  input,
  video,
  leadS,
  durationS,
}: Original): Promise<Parameters<typeof pictureBudget>[1]> {
  const share = durationS / (leadS + durationS);
  const pictures = await video.computePacketStats();
  const sounds = await (await input.getPrimaryAudioTrack())?.computePacketStats();
  return {
    durationS,
    sourceBytes: source.size * share,
    soundBytes: ((sounds?.averageBitrate ?? 0) * durationS) / 8,
    frames: (pictures.packetCount + (sounds?.packetCount ?? 0)) * share,
  };
}

async function encode(
  { input, video, leadS, durationS }: Original,
  encoding: Encoding,
  { captions, tags }: VideoOrder,
  { target, finished }: Awaited<ReturnType<Scratch['create']>>,
  progress: (fraction: number) => void,
): Promise<Blob> {
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target });
  const audio = await input.getPrimaryAudioTrack();
  const isAac = audio === null || (await audio.getCodec()) === 'aac';
  const conversion = await Conversion.init({
    input,
    output,
    ...{ tracks: 'primary', tags },
    ...(leadS > 0 && { trim: { start: leadS, end: leadS + durationS } }),
    video: await pictureOptions(video, encoding, captions),
    audio: isAac || !(await canEncodeAudio('aac')) ? {} : { codec: 'aac' },
    showWarnings: false,
  });
  if (!conversion.isValid || !conversion.utilizedTracks.includes(video))
    throw new Refusal('encoder', conversion.discardedTracks.map(({ reason }) => reason).join());
  conversion.onProgress = progress;
  try {
    await conversion.execute();
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown;
    // Codecs throw many things: a frame that is none, or an encoder that another program has taken.
    throw new Refusal('encoder', String(thrown), { cause: thrown });
  }
  return finished();
}

const displaySize = async (track: InputVideoTrack): Promise<Size> => ({
  width: await track.getDisplayWidth(),
  height: await track.getDisplayHeight(),
});

/** The size of the file's picture: the platform may have named the sides of the video in another order. */
async function storedSize(track: InputVideoTrack, { width, height }: Size): Promise<Size> {
  const shown = await displaySize(track);
  return shown.width < shown.height === width < height ? { width, height } : { width: height, height: width };
}

/** Pictures that differ less in form are scaled as a whole: their sides are even. */
const sameForm = 0.02;

/** Whether the encoder can take the picture as it is stored. */
async function isPlain(track: InputVideoTrack, { width, height }: Size): Promise<boolean> {
  if ((await track.getRotation()) !== 0 || (await track.hasHighDynamicRange())) return false;
  const shown = await displaySize(track);
  const [coded, codedHeight] = [await track.getCodedWidth(), await track.getCodedHeight()];
  const forms = [shown.width / shown.height, coded / codedHeight].map((form) => (form * height) / width);
  return forms.every((form) => Math.abs(form - 1) < sameForm);
}

async function pictureOptions(
  track: InputVideoTrack,
  { bitrate, ...planned }: Encoding,
  captions: VideoOrder['captions'],
): Promise<ConversionVideoOptions> {
  const size = await storedSize(track, planned);
  const options: ConversionVideoOptions = {
    ...{ codec: 'avc', forceTranscode: true, keyFrameInterval: keyFrameS },
    quality: new Quality({ bitrate, bitrateMode: 'variable' }),
    // Old players show a picture as it is stored.
    allowTransformationMetadata: false,
  };
  const burned = captions?.isBurned === true ? captions : null;
  if (burned === null && (await isPlain(track, size))) return options;
  // H.264 of eight bits has no high dynamic range: a canvas brings the picture into what every screen shows.
  const picture = new CaptionedPicture(size, burned);
  return {
    ...{ ...options, ...size, fit: 'contain' },
    process: (sample) => picture.draw(sample),
    processedWidth: size.width,
    processedHeight: size.height,
  };
}
