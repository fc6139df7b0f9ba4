import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PostShape } from '../../readings.ts';
import { noteShapes } from './item-shapes.ts';

function shapesOf(item: unknown): string[] {
  const reported: PostShape[] = [];
  noteShapes(item, (shape) => reported.push(shape));
  return reported.map(({ kind, name }) => `${kind} ${name}`);
}

const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../cases/${name}.json`, import.meta.url), 'utf8'));

test.for(['video-item', 'photo-item'])('nothing of a current item is new: %s', (name) => {
  expect(shapesOf(read(name))).toEqual([]);
});

test('reports a new field, another type, a new codec and a new format, each once', () => {
  const item = read('video-item');
  const video = item.video as Record<string, unknown>;
  const changed = {
    ...item,
    spatial: {},
    video: {
      ...video,
      duration: { seconds: 17 },
      codecType: 'AV2',
      bitrateInfo: [
        { GearName: 'x', CodecType: 'h264', Format: 'cmaf', Drm: 1 },
        { gear_name: 'y', codec_type: 'h264', Format: 'cmaf', Drm: 2 },
      ],
    },
  };
  expect(shapesOf(changed).toSorted()).toEqual([
    'field spatial',
    'field video.bitrateInfo[].Drm',
    'type video.duration:object',
    'value video.bitrateInfo[].Format=cmaf',
    'value video.codecType=av2',
  ]);
});

test('never reports what a person may have written, and never too much', () => {
  const written = {
    'a text of somebody': 1,
    user1234567: 1,
    ['x'.repeat(50)]: 1,
    video: { codecType: 'a text of somebody', format: '<script>' },
  };
  expect(shapesOf(written)).toEqual([]);
  expect(shapesOf(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, 1])))).toHaveLength(
    20,
  );
  for (const odd of [null, 'text', [], { video: 'text', author: 7, imagePost: { images: [null, 3] } }])
    expect(shapesOf(odd).filter((name) => !name.startsWith('type '))).toEqual([]);
});
