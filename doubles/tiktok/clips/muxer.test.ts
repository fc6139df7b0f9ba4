import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DAMAGES, type DamageName } from './damage.ts';
import { planClip } from './muxer.ts';
import type { Clip } from './tracks.ts';

const hasFfmpeg = (process.env.PATH ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'ffmpeg')));

/** Positions of the top-level boxes. */
function topLevel(file: Buffer): string[] {
  const types: string[] = [];
  for (let offset = 0; offset + 8 <= file.length; offset += Math.max(8, file.readUInt32BE(offset))) {
    types.push(file.toString('latin1', offset + 4, offset + 8));
  }
  return types;
}

describe('planClip', () => {
  test('reaches the requested size to the byte', () => {
    for (const bytes of [500_000, 500_001, 1_234_567]) {
      const clip = planClip({ video: 'h264-576', sound: 'aac-lc', seconds: 5, bytes });
      expect(clip.size).toBe(bytes);
      expect(clip.build().length).toBe(bytes);
    }
  });

  test('puts the index first or last', () => {
    const spec = { video: 'h264-480', sound: 'aac-lc', seconds: 2 } as const;
    expect(topLevel(planClip(spec).build())).toEqual(['ftyp', 'moov', 'mdat']);
    expect(topLevel(planClip({ ...spec, moov: 'last', mark: 'x' }).build())).toEqual([
      'ftyp',
      'free',
      'mdat',
      'moov',
    ]);
  });

  test('a minute at half-second interleave has 120 chunks of sound; with a chunk for each picture it has 1,800', () => {
    const chunksOfSound = (interleaveS: number) => {
      const file = planClip({ video: 'h264-720', sound: 'aac-lc', seconds: 60, interleaveS }).build();
      const offset = file.lastIndexOf('stco', file.indexOf('mdat'));
      return file.readUInt32BE(offset + 8);
    };
    expect(chunksOfSound(0.5)).toBe(120);
    expect(chunksOfSound(1 / 30)).toBe(1800);
  });

  describe.skipIf(!hasFfmpeg)('read by ffmpeg', () => {
    /** A line for each sample: track, times, size and a sum of its bytes. */
    const samplesOf = (clip: Clip) =>
      execFileSync('ffmpeg', ['-v', 'error', '-i', '-', '-map', '0', '-c', 'copy', '-f', 'framecrc', '-'], {
        input: clip.build(),
        encoding: 'utf8',
      })
        .split('\n')
        .filter((line) => /^\d/.test(line));

    test('fragments contain what the whole file contains', () => {
      const both = { video: 'h264-720', sound: 'aac-lc', seconds: 5, bytes: 700_000 } as const;
      const mixed = planClip({ ...both, fragmented: true });
      expect(mixed.size).toBe(700_000);
      expect(topLevel(mixed.build())).toEqual([
        'ftyp',
        'moov',
        ...Array.from({ length: 3 }, () => ['moof', 'mdat']).flat(),
      ]);
      expect(samplesOf(mixed)).toHaveLength(samplesOf(planClip(both)).length);
      const bare = { video: 'hevc-720', sound: null, seconds: 5 } as const;
      const alone = planClip({ ...bare, fragmented: true });
      expect(topLevel(alone.build()).slice(0, 4)).toEqual(['ftyp', 'moov', 'sidx', 'moof']);
      expect(samplesOf(alone)).toEqual(samplesOf(planClip(bare)));
      expect(samplesOf(alone)).toHaveLength(150);
    });

    test('an edit list skips the beginning of the sound', () => {
      const file = { video: null, sound: 'aac-lc', seconds: 2 } as const;
      const times = (clip: Clip) => samplesOf(clip).map((line) => Number(line.split(',')[2]));
      const [first = 0] = times(planClip({ ...file, soundEdit: 1024 }));
      expect(times(planClip(file))[0]).toBe(0);
      expect(first).toBe(-1024);
    });
  });
});

test.each(Object.keys(DAMAGES) as DamageName[])('%s changes the file', (name) => {
  const file = planClip({ video: 'h264-576', sound: 'aac-lc', seconds: 4, bytes: 720_000 }).build();
  const before = Buffer.from(file);
  expect(DAMAGES[name](file).equals(before)).toBe(false);
  expect(file.equals(before)).toBe(true);
});
