import { describe, expect, test } from 'vitest';
import { videoStream } from '../../../../doubles/tiktok/clips/streams.ts';
import { requiredChild } from '../../media/mp4/boxes.ts';
import type { Track } from '../../media/mp4/track.ts';
import { box, fullBox, u16, u32 } from '../../media/mp4/write-boxes.ts';
import { writeDescriptions } from './descriptions.ts';

const hvcC = videoStream('hevc-720').configuration;
const avcC = videoStream('h264-480').configuration;

/** The description of a picture with such an entry, as it is written into a new file. */
function written(type: string, ...inside: Buffer[]): Buffer {
  const entry = box(type, u16(0, 0, 0, 1), Buffer.alloc(70), ...inside);
  const moov = box('stbl', fullBox('stsd', 0, u32(1), entry));
  const stbl = requiredChild(moov, { start: 0, end: moov.length }, 'stbl');
  return writeDescriptions({ moov, stbl } as Track);
}
const nameOf = (stsd: Buffer) => stsd.toString('latin1', 20, 24);
/** An `hvcC` as writers make it beside sets among the samples: nothing says that it is complete. */
const loose = Buffer.from(hvcC);
for (const type of [32, 33, 34]) loose[loose.indexOf(Buffer.from([0x80 | type, 0, 1]), 23)] = type;

describe('the description of a picture', () => {
  test.each([
    ['hev1', 'hvc1', box('hvcC', loose)],
    ['dvhe', 'dvh1', box('hvcC', loose)],
    ['avc3', 'avc1', box('avcC', avcC)],
  ])('of %s with all parameter sets says %s', (type, name, sets) => {
    const stsd = written(type, box('pasp', u32(1, 1)), sets);
    expect(nameOf(stsd)).toBe(name);
    // Nothing else but the marks changes.
    expect(stsd.length).toBe(written('hvc1', box('pasp', u32(1, 1)), sets).length);
    if (type !== 'avc3') expect(stsd.includes(hvcC)).toBe(true);
  });

  test.each([
    ['without parameter sets', 'hev1', box('hvcC', Buffer.concat([hvcC.subarray(0, 22), Buffer.from([0])]))],
    [
      'with some of them',
      'hev1',
      box('hvcC', Buffer.concat([hvcC.subarray(0, 22), Buffer.from([1]), hvcC.subarray(23, 40)])),
    ],
    ['with sets that are cut off', 'hev1', box('hvcC', loose.subarray(0, -3))],
    [
      'with more sets than it has bytes',
      'hev1',
      box('hvcC', Buffer.concat([loose.subarray(0, 24), Buffer.from([0xff, 0xff]), loose.subarray(26)])),
    ],
    ['without a configuration', 'hev1', Buffer.alloc(0)],
    ['without picture sets', 'avc3', box('avcC', avcC.subarray(0, 6))],
  ])('%s keeps its name', (_, type, sets) => {
    expect(nameOf(written(type, sets))).toBe(type);
  });

  test.each(['hvc1', 'avc1', 'mp4a', 'av01'])('of %s is copied', (type) => {
    const stsd = written(type, box('hvcC', loose));
    expect(nameOf(stsd)).toBe(type);
    expect(stsd.includes(loose)).toBe(true);
  });
});
