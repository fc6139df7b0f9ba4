import { describe, expect, test } from 'vitest';
import { DAMAGES, type DamageName } from './damage.ts';
import { planClip } from './muxer.ts';

/** Positions of the top-level boxes. */
function topLevel(file: Buffer): string[] {
  const types: string[] = [];
  for (let offset = 0; offset + 8 <= file.length; offset += Math.max(8, file.readUInt32BE(offset))) {
    types.push(file.toString('latin1', offset + 4, offset + 8));
  }
  return types;
}

describe('planClip', () => {
  test('reaches the size asked for to the byte', () => {
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

  test('a minute at half-second interleave has 120 chunks of sound, at one picture each 1,800', () => {
    const chunksOfSound = (interleaveS: number) => {
      const file = planClip({ video: 'h264-720', sound: 'aac-lc', seconds: 60, interleaveS }).build();
      const offset = file.lastIndexOf('stco', file.indexOf('mdat'));
      return file.readUInt32BE(offset + 8);
    };
    expect(chunksOfSound(0.5)).toBe(120);
    expect(chunksOfSound(1 / 30)).toBe(1800);
  });
});

test.each(Object.keys(DAMAGES) as DamageName[])('%s changes the file', (name) => {
  const file = planClip({ video: 'h264-576', sound: 'aac-lc', seconds: 4, bytes: 720_000 }).build();
  const before = Buffer.from(file);
  expect(DAMAGES[name](file).equals(before)).toBe(false);
  expect(file.equals(before)).toBe(true);
});
