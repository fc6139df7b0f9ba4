import { expect, test } from 'vitest';
import type { DownloadOption, ResolveResult } from '../../../site/api.ts';
import { offeredVideo, videoOption } from './offer.ts';

const option = (id: string): DownloadOption => ({
  id,
  format: id.split('-')[0] as DownloadOption['format'],
  label: id,
  codec: null,
  width: null,
  height: null,
  bytes: null,
  href: `/api/files/${id}`,
});

function offered(ids: readonly string[], changes: Partial<ResolveResult> = {}, durationS = 20) {
  const post = { duration_s: durationS } as ResolveResult['post'];
  return offeredVideo({ post, options: ids.map(option), ...changes }, ['mp4', 'mp4-hd', 'mp3', 'm4a']);
}
const pictures = ['jpg-1', 'jpg-2', 'zip'];

test('offers a video made by the browser when the server has none, and requests it by its zip', () => {
  const offer = offered([...pictures, 'mp3', 'm4a']);
  expect(offer).toMatchObject({ zip: { id: 'zip' }, encodesSound: false });
  expect(offer && videoOption(offer.zip).href).toBe('/api/files/zip/slideshow');
  expect(offered(pictures, { no_sound: 'missing' }, 0)).toMatchObject({ encodesSound: false });
});

test('a sound that is not AAC has to be encoded', () => {
  expect(offered([...pictures, 'mp3'])).toMatchObject({ encodesSound: true });
  expect(offered([...pictures, 'm4a'])).toMatchObject({ encodesSound: false });
});

test.each<[string, ReturnType<typeof offered>]>([
  ['the server makes it', offered([...pictures, 'mp4-slideshow', 'mp3'])],
  ['the post is a video', offered(['mp4', 'mp3', 'm4a'])],
  ['there is no picture', offered(['mp4-1', 'zip', 'mp3'])],
  ['the sound cannot be read', offered(pictures, { no_sound: 'unsupported' })],
  ['the sound is longer than videos are', offered([...pictures, 'mp3'], {}, 901)],
  [
    'another server has the post',
    offered([], { options: pictures.map((id) => ({ ...option(id), href: `https://other.example/${id}` })) }),
  ],
])('offers none when %s', (_, offer) => {
  expect(offer).toBeNull();
});
