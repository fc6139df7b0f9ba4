import { z } from 'zod';
import type { VideoVariant } from '../../../post/post.ts';
import type { VideoFile } from './choose-videos.ts';
import { addresses, amount, anyCase, anyShape, list, text } from './schemas.ts';

/** Null for codecs that no device plays (`bytevc2`, H.266) and unknown ones. */
export function codecOf(name: string): VideoVariant['codec'] | null {
  if (/bytevc2|h266|vvc/i.test(name)) return null;
  if (/h265|hevc|hvc1|bytevc1/i.test(name)) return 'h265';
  return /h264|avc/i.test(name) ? 'h264' : null;
}

/** More than any post has. */
const maxGears = 32;
const maxSounds = 16;
/** Texts that hold JSON are hundreds of characters long. */
const maxJsonLength = 8_000;

const playAddress = anyShape({
  UrlList: addresses,
  UrlKey: text,
  DataSize: amount,
  Width: amount,
  Height: amount,
});

const unread = z.unknown().optional();

/** The fields of an encoding that are read. */
export const gearFields = {
  Bitrate: amount,
  BitrateFPS: amount,
  GearName: text,
  CodecType: text,
  Format: text,
  MVMAF: unread,
  VideoExtra: unread,
  dub_infos: unread,
  PlayAddr: playAddress,
};

/** The encodings of a video (`bitrateInfo` on pages, `bit_rate` in the app's answers). */
export const gearList = list(
  anyCase(gearFields, { bit_rate: 'Bitrate', FPS: 'BitrateFPS', fps: 'BitrateFPS' }),
  maxGears,
);

type Gear = z.output<typeof gearList>[number];

/** A machine speaks in such an encoding, in another language: it is no form of what the author posted. */
const isDubbed = ({ dub_infos: infos }: Gear): boolean =>
  Array.isArray(infos)
    ? infos.length > 0
    : typeof infos === 'object' && infos !== null && Object.keys(infos).length > 0;

/**
 * The encodings that play anywhere; dubbed ones only where there is no other.
 * @param size the video's size, for encodings that do not state their own
 */
export function gearFiles(
  gears: readonly Gear[],
  { width, height }: { readonly width: number; readonly height: number },
): VideoFile[] {
  const own = gears.filter((gear) => !isDubbed(gear));
  return (own.length > 0 ? own : gears).flatMap((gear): VideoFile[] => {
    const { PlayAddr: address } = gear;
    const codec = gearCodec(gear);
    if (address === null || codec === null) return [];
    return [
      {
        codec,
        ...sizeOf(gear, address, { width, height }),
        bytes: address.DataSize,
        bitrate: gear.Bitrate,
        framesPerSecond: gear.BitrateFPS,
        ...traitsOf(gear),
        urls: address.UrlList,
      },
    ];
  });
}

/** The short side that an encoding's names state: `v0c044_bytevc1_1080p_900000`, `adapt_lowest_1080_1`; 0 for none. */
function shortSideOf({ GearName: gear }: Gear, key: string): number {
  const [, inKey] = /_(\d{3,4})p(?:_|$)/.exec(key) ?? [];
  const [, inGear] = /_(\d{3,4})_\d+$/.exec(gear) ?? [];
  return Number(inKey ?? inGear ?? 0);
}

/** An encoding without a size of its own has the form of the video, in the pixels that its names state. */
function sizeOf(
  gear: Gear,
  address: NonNullable<Gear['PlayAddr']>,
  { width, height }: { readonly width: number; readonly height: number },
) {
  if (address.Width && address.Height) return { width: address.Width, height: address.Height };
  const named = shortSideOf(gear, address.UrlKey);
  const scale = named === 0 || Math.min(width, height) === 0 ? 1 : named / Math.min(width, height);
  // "540p" is 576 wide as a rule: where the video is about as large as the name says, its own size is the truth.
  if (scale > 0.9 && scale < 1.1) return { width, height };
  const even = (side: number) => Math.round((side * scale) / 2) * 2;
  return { width: even(width), height: even(height) };
}

/** `normal_720_0`, `original_1080_0` are H.264; `adapt_lowest_1080_1` is H.265. */
function codecOfGear(name: string): VideoFile['codec'] | null {
  const [, kind] = /^[a-z]+(?:_[a-z]+)*_\d{3,4}_([01])$/.exec(name) ?? [];
  return kind === undefined ? null : kind === '0' ? 'h264' : 'h265';
}

/** The codec's own name before the gear's, which only hints at it. */
function gearCodec({ CodecType: codec, PlayAddr: address, GearName: gear }: Gear): VideoFile['codec'] | null {
  const said = `${codec} ${address?.UrlKey ?? ''}`;
  return (
    codecOf(codec) ?? codecOf(said) ?? (/bytevc2|h266|vvc|av1|vp9/i.test(said) ? null : codecOfGear(gear))
  );
}

const addressSet = anyCase({ MainUrl: addresses, BackupUrl: addresses, FallbackUrl: addresses });

const soundSchema = anyCase(
  {
    FileId: text,
    FileHash: text,
    MediaType: text,
    Bitrate: amount,
    AudioDataSize: amount,
    UrlList: unread,
  },
  { bit_rate: 'Bitrate', size: 'AudioDataSize', data_size: 'AudioDataSize', DataSize: 'AudioDataSize' },
);

/** The separate sounds of a video (`bitrateAudioInfo` on pages, `bit_rate_audio` in the app's answers). */
export const soundList = list(
  z.preprocess(
    (value) =>
      typeof value === 'object' && value !== null && 'audio_meta' in value ? value.audio_meta : value,
    soundSchema,
  ),
  maxSounds,
);

/** A separate sound file as a strategy found it. */
export interface SeparateSoundFile {
  readonly id: string;
  readonly bytes: number | null;
  /** Bits per second. */
  readonly bitrate: number | null;
  readonly urls: readonly string[];
}

/** A lower rate is in kbit/s: no sound has so few bits per second, and none so many thousands. */
const leastBitrate = 2_000;

/** The sounds that have an address. */
export function separateSounds(sounds: z.output<typeof soundList>): SeparateSoundFile[] {
  return sounds.flatMap((sound, index) => {
    if (sound.MediaType !== '' && !/audio/i.test(sound.MediaType)) return [];
    const urls = soundAddresses(sound.UrlList);
    if (urls.length === 0) return [];
    const { Bitrate: rate, AudioDataSize: bytes } = sound;
    return [
      {
        id: idOf(sound.FileId) ?? idOf(sound.FileHash) ?? `number-${index}`,
        bytes,
        bitrate: rate === null || rate >= leastBitrate ? rate : rate * 1000,
        urls,
      },
    ];
  });
}

/** An object of a main, a backup and a fallback address; seen as a list, too. */
function soundAddresses(value: unknown): string[] {
  const set = addressSet.safeParse(value).data;
  if (set === undefined) return addresses.parse(value);
  return [...set.MainUrl, ...set.BackupUrl, ...set.FallbackUrl];
}

/** Ids of files: `v0c044g50000…`, hashes. */
function idOf(value: unknown): string | null {
  return typeof value === 'string' && /^[\w.-]{1,128}$/.test(value) ? value : null;
}

/** The platform's details of an encoding beside its size: tracks, quality, and the sound that belongs to it. */
function traitsOf(gear: Gear): Required<Pick<VideoFile, 'format' | 'quality' | 'soundId'>> {
  const extra = parsed(gear.VideoExtra);
  const inExtra = (name: string) =>
    typeof extra === 'object' && extra !== null ? (extra as Record<string, unknown>)[name] : undefined;
  return {
    format: gear.Format.toLowerCase(),
    quality: qualityOf(gear.MVMAF) ?? qualityOf(inExtra('mvmaf')),
    soundId: idOf(inExtra('audio_file_id')),
  };
}

/** Parses a JSON text; returns anything else unchanged. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > maxJsonLength || !/^\s*[{\d]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    // One odd field must not cost the whole post: an unreadable value is dropped.
    return null;
  }
}

const maxDepth = 4;
const maxScores = 64;

/**
 * `MVMAF`, from 0 to 100: a number, or numbers by model and screen height (`{ "v2.0": { "ori": { "v1080": 94.3, "v720":
 * 97.1 } } }`), as an object or as its JSON text. `ori` compares with the upload; the largest screen shows the most.
 * Null for anything that is not a score.
 */
function qualityOf(value: unknown): number | null {
  const scores: { readonly path: string; readonly score: number }[] = [];
  const collect = (inner: unknown, path: string, depth: number) => {
    if (scores.length >= maxScores) return;
    if (typeof inner === 'number') {
      if (inner >= 0 && inner <= 100) scores.push({ path, score: inner });
    } else if (typeof inner === 'object' && inner !== null && depth < maxDepth) {
      for (const [name, part] of Object.entries(inner).slice(0, maxScores))
        collect(part, `${path}/${name}`, depth + 1);
    }
  };
  collect(parsed(value), '', 0);
  const onUpload = scores.filter(({ path }) => /\/ori(?:gin(?:al)?)?(?:\/|$)/i.test(path));
  const heightOf = (path: string) => Number(/\/v?(\d{3,4})p?$/.exec(path)?.[1] ?? 0);
  const [best] = (onUpload.length > 0 ? onUpload : scores).toSorted(
    (one, other) => heightOf(other.path) - heightOf(one.path),
  );
  return best?.score ?? null;
}
