import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Whether tests can inspect videos, and the product can make them. */
export const hasFfmpeg = ['ffmpeg', 'ffprobe'].every((program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program))),
);

/** ffprobe's description of an mp4, and the names of its boxes in order. */
export interface ProbedVideo {
  readonly durationS: number;
  readonly streams: readonly {
    readonly codec_name: string;
    readonly pix_fmt?: string;
    readonly color_range?: string;
    readonly color_space?: string;
    readonly width?: number;
    readonly height?: number;
    readonly duration: string;
    readonly nb_frames: string;
  }[];
  /** Its tags, as players show them. */
  readonly tags: { readonly title?: string; readonly artist?: string; readonly comment?: string };
  readonly boxes: readonly string[];
}

export function probeVideo(mp4: Buffer): ProbedVideo {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'));
  try {
    const path = join(folder, 'video.mp4');
    writeFileSync(path, mp4);
    const { stdout } = spawnSync(
      'ffprobe',
      ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', path],
      { encoding: 'utf8' },
    );
    const { format, streams } = JSON.parse(stdout);
    const { duration, tags = {} } = format;
    return { durationS: Number(duration), streams, tags, boxes: boxNames(mp4) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** How old players take every picture: limited range, with the colours of HD. */
export const plainPicture = { pix_fmt: 'yuv420p', color_range: 'tv', color_space: 'bt709' };

/** The brightness of a video at a time, from 0 to 255, in each of the eight by eight fields of its picture. */
export function brightnessAt(mp4: Buffer, atS: number): readonly number[] {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'));
  try {
    const path = join(folder, 'video.mp4');
    writeFileSync(path, mp4);
    const { stdout } = spawnSync('ffmpeg', [
      ...['-v', 'error', '-i', path, '-vf', `select=gte(t\\,${atS}),scale=8:8:flags=area`],
      ...['-frames:v', '1', '-pix_fmt', 'gray', '-f', 'rawvideo', '-'],
    ]);
    return [...stdout];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function boxNames(mp4: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at + 8 <= mp4.length; at += Math.max(8, mp4.readUInt32BE(at)))
    names.push(mp4.toString('latin1', at + 4, at + 8));
  return names;
}
