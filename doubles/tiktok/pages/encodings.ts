import { statedSize } from '../media/files.ts';
import {
  GEARS,
  type GearContent,
  type SeparateSoundContent,
  type VideoContent,
} from '../scenarios/scenario.ts';
import type { Addresses } from './addresses.ts';

/** `bitrateInfo` and `bitrateAudioInfo` of a post's page. */
export function encodings(content: VideoContent, addresses: Addresses): Record<string, unknown> {
  const { sounds } = content;
  const all = {
    bitrateInfo: gears(content, addresses),
    ...(sounds !== undefined && {
      bitrateAudioInfo: sounds.map((sound) => soundInfo(sound, content, addresses)),
    }),
  };
  return content.snakeCase === true ? (inSnakeCase(all) as Record<string, unknown>) : all;
}

/** By bitrate, highest first, whatever the codec. */
function gears(content: VideoContent, addresses: Addresses) {
  return content.gears
    .map((gear, index) => {
      const { codec, quality } = GEARS[gear.name];
      const { format = 'mp4', soundId } = gear;
      const size =
        index === 0 && content.statedBytes !== undefined ? content.statedBytes : statedSize(gear.file);
      return {
        Bitrate: bitrate(gear),
        BitrateFPS: 30,
        QualityType: quality,
        GearName: gear.name,
        CodecType: codec,
        ...(format !== 'unsaid' && { Format: format }),
        MVMAF: score(gear),
        PlayAddr: playAddrStruct(gear, content, addresses, size),
        ...(soundId !== undefined && { VideoExtra: JSON.stringify({ audio_file_id: soundId }) }),
      };
    })
    .sort((one, other) => other.Bitrate - one.Bitrate);
}

/** Measured by several models against several screen sizes; the comparison with the upload says most. */
function score({ score: measured, scoreAs }: GearContent): unknown {
  if (measured === undefined) return '';
  if (scoreAs === 'number') return measured;
  const onSmaller = Math.min(100, measured + 3);
  const models = {
    'v2.0': {
      srv1: { v1080: Math.max(0, measured - 2), v720: onSmaller },
      ori: { v1080: measured, v720: onSmaller },
    },
  };
  return scoreAs === 'object' ? models : JSON.stringify(models);
}

function soundInfo(sound: SeparateSoundContent, { hosts }: VideoContent, addresses: Addresses) {
  const { id, namedBy = 'FileId', file } = sound;
  const address = (host: string) => addresses.prime(host, `sound-${id}`, { mimeType: 'audio_mp4' });
  return {
    [namedBy]: id,
    MediaType: 'audio',
    Codec: 'aac',
    Bitrate: sound.bitrate,
    AudioQuality: 1,
    AudioQualityString: sound.quality,
    AudioDataSize: statedSize(file),
    UrlList: { MainUrl: address(hosts[0]), BackupUrl: address(hosts[1]), FallbackUrl: '' },
  };
}

/** The same with `snake_case` names: `GearName` is `gear_name`, `MVMAF` is `mvmaf`. */
function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase(),
      inSnakeCase(inner),
    ]),
  );
}

/** Pixels of an encoding; orientation-true. */
export function pixels({ name, file }: GearContent): { width: number; height: number } {
  if (file.clip.video === 'h264-landscape') return { width: 1280, height: 720 };
  const { shortSide } = GEARS[name];
  const heights = { 480: 854, 576: 1024, 720: 1280, 1080: 1920 } as const;
  return { width: shortSide, height: heights[shortSide] };
}

/** A missing size in a page. */
export const noPixels = { width: 0, height: 0 };

/** Bits per second of an encoding. */
export function bitrate({ file }: GearContent): number {
  return Math.round((statedSize(file) * 8) / file.clip.seconds);
}

/** The addresses of one encoding. @param size in bytes, as the page states it */
export function playAddrStruct(gear: GearContent, content: VideoContent, addresses: Addresses, size: number) {
  const { width, height } = content.sizeless === true ? noPixels : pixels(gear);
  const codec = GEARS[gear.name].codec.split('_')[0] === 'h265' ? 'bytevc1' : GEARS[gear.name].codec;
  const trap = gear.silentTrap === true;
  return {
    Uri: `v12044gd0000${gear.name}`,
    UrlList: [
      addresses.prime(content.hosts[0], gear.name, { trap }),
      addresses.prime(content.hosts[1], gear.name, { trap }),
      addresses.gateway(gear.name),
    ],
    UrlKey: `v12044gd0000_${codec}_${GEARS[gear.name].shortSide}p_${bitrate(gear)}`,
    DataSize: String(size),
    Width: width,
    Height: height,
    FileHash: 'd41d8cd98f00b204e9800998ecf8427e',
    FileCs: 'c:0-12345-67ab',
  };
}
