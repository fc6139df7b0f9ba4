import { DAMAGES } from '../clips/damage.ts';
import { planClip } from '../clips/muxer.ts';
import { readMedia } from '../clips/streams.ts';
import type { Clip } from '../clips/tracks.ts';
import { postWithId } from '../scenarios/posts.ts';
import type { FileContent, MusicContent, PostScenario } from '../scenarios/scenario.ts';

/** A file of the media servers. */
export interface MediaFile {
  readonly scenario: PostScenario;
  /** Which file of the post. */
  readonly what: string;
  readonly kind: 'video' | 'watermarked-video' | 'sound' | 'image' | 'captions';
  readonly contentType: string;
  readonly bytes: () => Buffer;
}

const plans = new Map<string, Clip>();
const built = new Map<string, Buffer>();
/** Memory limit of built files; beyond it the oldest is dropped. */
const MAX_BUILT_BYTES = 300_000_000;

function plan(content: FileContent): Clip {
  const key = JSON.stringify(content.clip);
  let clip = plans.get(key);
  if (clip === undefined) {
    clip = planClip(content.clip);
    plans.set(key, clip);
  }
  return clip;
}

/** Size of the undamaged file in bytes: what the platform's pages state. */
export function statedSize(content: FileContent): number {
  return plan(content).size;
}

function bytesOf(content: FileContent): Buffer {
  return remembered(JSON.stringify(content), () => {
    const file = plan(content).build();
    return content.damage === undefined ? file : DAMAGES[content.damage](file);
  });
}

function remembered(key: string, make: () => Buffer): Buffer {
  const known = built.get(key);
  if (known !== undefined) return known;
  const file = make();
  built.set(key, file);
  let total = [...built.values()].reduce((sum, { length }) => sum + length, 0);
  for (const [oldest, { length }] of built) {
    if (total <= MAX_BUILT_BYTES || oldest === key) break;
    built.delete(oldest);
    total -= length;
  }
  return file;
}

/** The file with the watermark, 576 wide, that `downloadAddr` names. */
function watermarked(seconds: number): FileContent {
  return {
    clip: { video: 'h264-576', sound: 'aac-lc', seconds, bytes: 170_000 * seconds, mark: 'WATERMARKED' },
  };
}

function soundBytes(music: MusicContent): Buffer {
  if (music.file === 'm4a') {
    return bytesOf({ clip: { video: null, sound: 'aac-lc', seconds: music.seconds } });
  }
  return remembered(`mp3 of ${music.seconds} s`, () => {
    const stream = readMedia('music.mp3');
    const frameCount = Math.round((music.seconds * 44_100) / 1152);
    const frames = mp3Frames(stream);
    return Buffer.concat(Array.from({ length: frameCount }, (_, n) => frames[n % frames.length] ?? stream));
  });
}

const MP3_BITRATES = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];

/** Splits an MPEG-1 layer III stream of 44.1 kHz (ISO/IEC 11172-3, 2.4.2.3). */
function mp3Frames(stream: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let offset = 0; offset + 4 <= stream.length; ) {
    const byte = stream.readUInt8(offset + 2);
    const bitrate = MP3_BITRATES[byte >> 4] ?? 0;
    const length = Math.floor((144_000 * bitrate) / 44_100) + ((byte >> 1) & 1);
    frames.push(stream.subarray(offset, offset + length));
    offset += length;
  }
  return frames;
}

/** The key of a video's captions, counted from 0. */
export const captionsKey = (index: number): string => `captions-${index}`;

/** Keys name a file of a post: `o{id}-{what}`. */
export function fileKey(id: string, what: string): string {
  return `o${id}-${what}`;
}

/** The file behind a key, or undefined when there is none. */
export function fileOf(key: string): MediaFile | undefined {
  const [, id, what] = /^o(\d{1,20})-(.+)$/.exec(key) ?? [];
  const scenario = id === undefined ? undefined : postWithId(id);
  if (scenario === undefined || what === undefined) return undefined;
  const { media, music } = scenario.post;
  if (what === 'sound') {
    const contentType = music.file === 'm4a' ? 'audio/mp4' : 'audio/mpeg';
    return { scenario, what, kind: 'sound', contentType, bytes: () => soundBytes(music) };
  }
  if (what === 'cover' || what === 'avatar') return picture(scenario, what, `${what}.jpg`);
  if (what === 'song') return picture(scenario, what, 'picture-1.jpg');
  if (media.kind === 'photos') {
    const [, part, number] = /^(picture|motion)-(\d+)$/.exec(what) ?? [];
    const slide = media.pictures[Number(number) - 1];
    if (slide === undefined) return undefined;
    const { file, motion } = slide;
    if (part === 'picture') return picture(scenario, what, file);
    if (motion === undefined) return undefined;
    return { scenario, what, kind: 'video', contentType: 'video/mp4', bytes: () => bytesOf(motion) };
  }
  if (what === 'download') {
    const content = watermarked(media.seconds);
    return {
      scenario,
      what,
      kind: 'watermarked-video',
      contentType: 'video/mp4',
      bytes: () => bytesOf(content),
    };
  }
  const said = media.captions?.find((_, at) => what === captionsKey(at));
  if (said !== undefined) {
    const contentType = said.format === 'webvtt' ? 'text/plain' : 'application/json';
    return { scenario, what, kind: 'captions', contentType, bytes: () => Buffer.from(said.text) };
  }
  const apart = media.sounds?.find(({ id: named }) => what === `sound-${named}`);
  if (apart !== undefined) {
    return { scenario, what, kind: 'sound', contentType: 'audio/mp4', bytes: () => bytesOf(apart.file) };
  }
  const gear = media.gears.find(({ name }) => name === what);
  if (gear === undefined) return undefined;
  if (media.song !== undefined)
    return { scenario, what, kind: 'video', contentType: 'audio/mpeg', bytes: () => soundBytes(music) };
  return { scenario, what, kind: 'video', contentType: 'video/mp4', bytes: () => bytesOf(gear.file) };
}

function picture(scenario: PostScenario, what: string, file: string): MediaFile {
  const contentType = file.endsWith('.webp') ? 'image/webp' : file === 'heic' ? 'image/heic' : 'image/jpeg';
  const bytes = () => remembered(file, () => (file === 'heic' ? heic() : readMedia(file)));
  return { scenario, what, kind: 'image', contentType, bytes };
}

/** The beginning of a HEIC picture (ISO/IEC 23008-12) without any picture: nothing here encodes or decodes one. */
function heic(): Buffer {
  const box = (type: string, ...content: readonly Buffer[]) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), ...content]);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(4 + body.length);
    return Buffer.concat([size, body]);
  };
  return Buffer.concat([
    box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1')),
    box('mdat', Buffer.alloc(4_096, 7)),
  ]);
}
