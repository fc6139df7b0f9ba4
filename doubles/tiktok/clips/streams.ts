import { readFileSync } from 'node:fs';

/** Folder into which `make.sh` writes the streams and pictures. */
const MEDIA = new URL('./media/', import.meta.url);

/** Reads one committed file. */
export function readMedia(name: string): Buffer<ArrayBuffer> {
  return readFileSync(new URL(name, MEDIA));
}

const VIDEO_STREAMS = {
  'h264-480': { file: 'h264-480x854.h264', codec: 'h264', width: 480, height: 854 },
  'h264-576': { file: 'h264-576x1024.h264', codec: 'h264', width: 576, height: 1024 },
  'h264-720': { file: 'h264-720x1280.h264', codec: 'h264', width: 720, height: 1280 },
  'h264-landscape': { file: 'h264-1280x720.h264', codec: 'h264', width: 1280, height: 720 },
  'h264-1080': { file: 'h264-1080x1920.h264', codec: 'h264', width: 1080, height: 1920 },
  'hevc-720': { file: 'hevc-720x1280.h265', codec: 'h265', width: 720, height: 1280 },
  'hevc-1080': { file: 'hevc-1080x1920.h265', codec: 'h265', width: 1080, height: 1920 },
} as const;

const SOUND_STREAMS = {
  'aac-lc': { file: 'aac-lc-44100-stereo.aac', extension: null },
  'aac-lc-mono-24k': { file: 'aac-lc-24000-mono.aac', extension: null },
  'aac-lc-surround': { file: 'aac-lc-48000-surround.aac', extension: null },
  // Half the sample rate in the core; SBR doubles it.
  'he-aac': { file: 'he-aac-44100-stereo.aac', extension: 5 },
  // Mono in the core as well; parametric stereo makes two channels of it.
  'he-aac-v2': { file: 'he-aac-v2-44100-stereo.aac', extension: 29 },
} as const;

export type VideoStreamName = keyof typeof VIDEO_STREAMS;
export type SoundStreamName = keyof typeof SOUND_STREAMS;

export const FRAMES_PER_SECOND = 30;

/** Pictures of one stream, ready for an mp4: each is a run of length-prefixed NAL units. */
export interface VideoStream {
  readonly codec: 'h264' | 'h265';
  readonly width: number;
  readonly height: number;
  /** Only the first is a key frame. */
  readonly samples: readonly Buffer[];
  /** Contents of the `avcC` or `hvcC` box. */
  readonly configuration: Buffer;
}

export interface SoundStream {
  readonly sampleRate: number;
  readonly channels: number;
  /** Raw AAC frames, 1,024 samples each. */
  readonly samples: readonly Buffer[];
  /** AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). */
  readonly configuration: Buffer;
}

const videos = new Map<VideoStreamName, VideoStream>();
const sounds = new Map<SoundStreamName, SoundStream>();

/** Loads a video stream; the second call answers from memory. */
export function videoStream(name: VideoStreamName): VideoStream {
  let stream = videos.get(name);
  if (stream === undefined) {
    const { file, codec, width, height } = VIDEO_STREAMS[name];
    const units = nalUnits(readMedia(file));
    stream = { codec, width, height, ...(codec === 'h264' ? packH264(units) : packH265(units)) };
    videos.set(name, stream);
  }
  return stream;
}

/** Loads a sound stream; the second call answers from memory. */
export function soundStream(name: SoundStreamName): SoundStream {
  let stream = sounds.get(name);
  if (stream === undefined) {
    const { file, extension } = SOUND_STREAMS[name];
    stream = unpackAdts(readMedia(file), extension);
    sounds.set(name, stream);
  }
  return stream;
}

/** Splits a byte stream (ITU-T H.264 annex B) at its start codes. */
function nalUnits(stream: Buffer): Buffer[] {
  const units: Buffer[] = [];
  const startCode = Buffer.from([0, 0, 1]);
  let start = stream.indexOf(startCode);
  while (start !== -1) {
    const next = stream.indexOf(startCode, start + 3);
    let end = next === -1 ? stream.length : next;
    while (end > start + 3 && stream[end - 1] === 0) end -= 1;
    units.push(stream.subarray(start + 3, end));
    start = next;
  }
  return units;
}

function lengthPrefixed(unit: Buffer): Buffer {
  const prefixed = Buffer.allocUnsafe(unit.length + 4);
  prefixed.writeUInt32BE(unit.length);
  unit.copy(prefixed, 4);
  return prefixed;
}

function only(units: readonly Buffer[], what: string): Buffer {
  const [unit] = units;
  if (unit === undefined) throw new Error(`The stream has no ${what}`);
  return unit;
}

function packH264(units: readonly Buffer[]): { samples: Buffer[]; configuration: Buffer } {
  const ofType = (type: number) => units.filter((unit) => (unit.readUInt8(0) & 31) === type);
  const sps = only(ofType(7), 'sequence parameter set');
  const pps = only(ofType(8), 'picture parameter set');
  const samples = units.filter((unit) => [1, 5].includes(unit.readUInt8(0) & 31)).map(lengthPrefixed);
  // AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1); the last four bytes are 4:2:0, 8 bits, no extensions.
  const configuration = Buffer.concat([
    Buffer.from([1, sps.readUInt8(1), sps.readUInt8(2), sps.readUInt8(3), 0xff, 0xe1]),
    uint16(sps.length),
    sps,
    Buffer.from([1]),
    uint16(pps.length),
    pps,
    Buffer.from([0xfd, 0xf8, 0xf8, 0]),
  ]);
  return { samples, configuration };
}

function packH265(units: readonly Buffer[]): { samples: Buffer[]; configuration: Buffer } {
  const typeOf = (unit: Buffer) => (unit.readUInt8(0) >> 1) & 63;
  const parameterSets = [32, 33, 34].map((type) => ({
    type,
    unit: only(
      units.filter((unit) => typeOf(unit) === type),
      `parameter set of type ${type}`,
    ),
  }));
  const samples = units.filter((unit) => typeOf(unit) < 32).map(lengthPrefixed);
  const sps = withoutEmulationPrevention(
    only(
      parameterSets.slice(1).map(({ unit }) => unit),
      'SPS',
    ),
  );
  // HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1): the SPS's profile, tier and level, then 4:2:0, 8 bits.
  const configuration = Buffer.concat([
    Buffer.from([1]),
    sps.subarray(3, 15),
    Buffer.from([0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f, parameterSets.length]),
    ...parameterSets.flatMap(({ type, unit }) => [
      Buffer.from([0x80 | type, 0, 1]),
      uint16(unit.length),
      unit,
    ]),
  ]);
  return { samples, configuration };
}

function withoutEmulationPrevention(unit: Buffer): Buffer {
  const bytes = [...unit].filter(
    (byte, index) => !(byte === 3 && index >= 2 && unit[index - 1] === 0 && unit[index - 2] === 0),
  );
  return Buffer.from(bytes);
}

const SAMPLE_RATES = [
  96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
];

/** Removes ADTS headers (ISO/IEC 13818-7, 6.2). @param extension object type of the announced extension of the core */
function unpackAdts(stream: Buffer, extension: 5 | 29 | null): SoundStream {
  const samples: Buffer[] = [];
  const rateIndex = (stream.readUInt8(2) >> 2) & 15;
  const channels = ((stream.readUInt8(2) & 1) << 2) | (stream.readUInt8(3) >> 6);
  for (let offset = 0; offset < stream.length; ) {
    const length = ((stream.readUInt8(offset + 3) & 3) << 11) | (stream.readUInt16BE(offset + 4) >> 5);
    const headerLength = (stream.readUInt8(offset + 1) & 1) === 1 ? 7 : 9;
    samples.push(stream.subarray(offset + headerLength, offset + length));
    offset += length;
  }
  const sampleRate = SAMPLE_RATES[rateIndex];
  if (sampleRate === undefined) throw new Error(`Unknown sample rate index ${rateIndex}`);
  if (extension === null) {
    return {
      sampleRate,
      channels,
      samples,
      configuration: bits([2, 5], [rateIndex, 4], [channels, 4], [0, 3]),
    };
  }
  const doubled = SAMPLE_RATES.indexOf(sampleRate * 2);
  const configuration = bits([extension, 5], [rateIndex, 4], [channels, 4], [doubled, 4], [2, 5], [0, 3]);
  return { sampleRate, channels: 2, samples, configuration };
}

/** Packs values of the given widths, and fills the last byte with zeros. */
function bits(...fields: ReadonlyArray<readonly [value: number, width: number]>): Buffer {
  const text = fields.map(([value, width]) => value.toString(2).padStart(width, '0')).join('');
  const bytes = text.padEnd(Math.ceil(text.length / 8) * 8, '0').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

function uint16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
