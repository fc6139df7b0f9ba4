import { expect, test } from 'vitest';
import { BufferSource } from '../testing/buffer-source.ts';
import { buildMp4 } from '../testing/mp4-builder.ts';
import { toneFramesOf } from '../testing/tone.ts';
import { listTracks } from './list-tracks.ts';

const { signal } = new AbortController();
const frames = toneFramesOf(1);
const list = (options: Partial<Parameters<typeof buildMp4>[0]>) =>
  listTracks(new BufferSource(buildMp4({ frames, ...options })), signal);

test.each([
  [{}, ['picture', 'sound'], false],
  [{ sound: false }, ['picture'], false],
  [{ pictureBytes: 0, moov: 'last' }, ['sound'], false],
  [{ sound: false, fragmented: true }, ['picture'], true],
  [{ fragmented: true }, ['picture', 'sound'], true],
] as const)('%o has the tracks %j', async (options, kinds, isFragmented) => {
  const found = await list(options);
  expect(found.tracks.map(({ kind }) => kind)).toEqual(kinds);
  expect(found.isFragmented).toBe(isFragmented);
});

test('names the codecs, and refuses files that are not mp4', async () => {
  const { tracks } = await list({ soundFormat: 'Opus' });
  expect(tracks.map(({ codec }) => codec)).toEqual(['avc1', 'Opus']);
  const page = new BufferSource(Buffer.from('<!doctype html><title>no</title>'));
  await expect(listTracks(page, signal)).rejects.toMatchObject({ key: 'media_invalid' });
});
