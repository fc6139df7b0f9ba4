import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether this machine can make and inspect clips. */
export const hasFfmpeg = ['ffmpeg', 'ffprobe'].every((name) => spawnSync(name, ['-version']).status === 0);

const folder = mkdtempSync(join(tmpdir(), 'clipferry-join-'));
// Test files that run in one process share the clips.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
let count = 0;

function inFile<Result>(bytes: Buffer | null, use: (path: string) => Result): Result {
  const path = join(folder, `${count++}.mp4`);
  if (bytes !== null) writeFileSync(path, bytes);
  try {
    return use(path);
  } finally {
    rmSync(path, { force: true });
  }
}

/** Seconds of each made clip. */
export const clipS = 6;

const pictures = ['-f', 'lavfi', '-i', `testsrc=size=160x284:rate=30:duration=${clipS}`];
const sounds = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=44100:duration=${clipS}`];
const encoded = {
  picture: [
    ...pictures,
    '-pix_fmt',
    'yuv420p',
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-g',
    '45',
    '-bf',
    '2',
  ],
  sound: [...sounds, '-c:a', 'aac', '-b:a', '96k'],
};

const originals = new Map<string, string>();

/** Encoding takes a while: it runs once, and its result is written in many forms. */
function original(kind: keyof typeof encoded): string {
  const path = originals.get(kind) ?? join(folder, `${kind}.mp4`);
  if (!originals.has(kind)) execFileSync('ffmpeg', ['-v', 'error', ...encoded[kind], '-y', path]);
  originals.set(kind, path);
  return path;
}

/** A picture or a sound, written with these flags of ffmpeg's own mp4 writer. */
export function makeClip(kind: keyof typeof encoded, movflags: string, ...more: string[]): Buffer {
  return inFile(null, (path) => {
    const flags = movflags === '' ? [] : ['-movflags', movflags];
    const input = ['-i', original(kind), '-c', 'copy'];
    execFileSync('ffmpeg', ['-v', 'error', ...input, ...more, ...flags, '-y', path]);
    return readFileSync(path);
  });
}

/** A picture and its sound in one file. Tables first. */
export function makeWholeClip(...more: string[]): Buffer {
  return inFile(null, (path) => {
    const input = ['-i', original('picture'), '-i', original('sound'), '-c', 'copy'];
    execFileSync('ffmpeg', ['-v', 'error', ...input, ...more, '-movflags', '+faststart', '-y', path]);
    return readFileSync(path);
  });
}

/** ffmpeg's errors when it decodes a whole file; empty for a good one. */
export function complaints(bytes: Buffer): string {
  return inFile(bytes, (path) => {
    const { stderr, status } = spawnSync(
      'ffmpeg',
      ['-v', 'error', '-xerror', '-i', path, '-map', '0', '-f', 'null', '-'],
      { encoding: 'utf8' },
    );
    return status === 0 ? stderr : `status ${status}: ${stderr}`;
  });
}

/** One track as ffprobe sees it: seconds, and for each packet a hash with its decoding and presentation times (ms). */
export interface ProbedTrack {
  readonly kind: string;
  readonly codec: string;
  readonly durationS: number;
  readonly startS: number;
  readonly packets: readonly { readonly pts: number; readonly dts: number; readonly hash: string }[];
}

/** ffprobe's description of a file. */
export function probe(bytes: Buffer): ProbedTrack[] {
  return inFile(bytes, (path) => {
    const text = execFileSync(
      'ffprobe',
      ['-v', 'error', '-show_streams', '-show_packets', '-show_data_hash', 'md5', '-of', 'json', path],
      { encoding: 'utf8', maxBuffer: 1 << 26 },
    );
    const { streams, packets } = JSON.parse(text);
    return streams.map((stream: Record<string, string>) => ({
      kind: stream.codec_type,
      codec: stream.codec_name,
      durationS: Number(stream.duration),
      startS: Number(stream.start_time),
      packets: packets
        .filter((packet: Record<string, string>) => packet.stream_index === stream.index)
        .map(({ pts_time, dts_time, data_hash }: Record<string, string>) => ({
          pts: Math.round(Number(pts_time) * 1000),
          dts: Math.round(Number(dts_time) * 1000),
          hash: data_hash,
        })),
    }));
  });
}
