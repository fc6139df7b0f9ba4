import { expect, test } from 'vitest';
import type { DownloadOption, OptionFormat, ResolveResult } from '../../../api.ts';
import type { DownloadButton } from '../../../configuration/configuration.ts';
import { chooseOptions, type OtherPage, pageFor } from './choose-options.ts';

const option = (id: string): DownloadOption => ({
  id,
  format: id.replace(/-.*/, '') as OptionFormat,
  label: id,
  codec: null,
  width: null,
  height: null,
  bytes: null,
  href: `/api/files/${id}`,
});
const options = (...ids: string[]) => ids.map(option);
const result = (kind: 'video' | 'photos', ...ids: string[]): Pick<ResolveResult, 'post' | 'options'> => ({
  post: {
    platform: 'tiktok',
    id: '1',
    url: 'https://www.tiktok.com/@x/video/1',
    kind,
    author: { handle: 'x', name: 'X' },
    title: '',
    duration_s: 1,
    cover_url: null,
    created_at: null,
  },
  options: options(...ids),
});

const all: OtherPage = { href: '/all', buttons: ['mp4', 'mp4-hd', 'mp3', 'm4a'] };
const videos: OtherPage = { href: '/videos', buttons: ['mp4', 'mp4-hd'] };
const sounds: OtherPage = { href: '/sounds', buttons: ['mp3', 'm4a'] };

test.each<[DownloadButton[], string[], number, boolean]>([
  [['mp3', 'm4a'], ['mp3', 'm4a'], 0, false],
  [['mp4', 'mp4-hd'], ['mp4'], 1, true],
  [['m4a', 'mp4'], ['m4a', 'mp4'], 1, true],
])('a page with %j shows these, in its order', (buttons, files, pictures, zip) => {
  const chosen = chooseOptions(options('mp4', 'mp3', 'm4a', 'jpg-1', 'zip', 'mp4-slideshow'), buttons);
  expect(chosen.files.map(({ id }) => id)).toEqual(files);
  expect(chosen.slides).toHaveLength(pictures);
  expect(chosen.zip !== null).toBe(zip);
  expect(chosen.slideshow !== null).toBe(zip);
});

test('a slide is its picture, its video or both, under its own number', () => {
  const { slides, files } = chooseOptions(options('jpg-1', 'jpg-3', 'mp4-3', 'mp4-4', 'zip'), all.buttons);
  expect(slides.map(({ number, picture, motion }) => [number, picture?.id, motion?.id])).toEqual([
    [1, 'jpg-1', undefined],
    [3, 'jpg-3', 'mp4-3'],
    [4, undefined, 'mp4-4'],
  ]);
  expect(files).toEqual([]);
});

test.each([
  ['a silent video is had where videos are', result('video', 'mp4'), [all, videos], 'picture', '/videos'],
  ['silent pictures where most is', result('photos', 'jpg-1', 'zip'), [all, videos], 'picture', '/all'],
  [
    'the sound of pictures where sounds are',
    result('photos', 'jpg-1', 'mp3'),
    [all, sounds],
    'sound',
    '/sounds',
  ],
  ['nothing where no page has it', result('video', 'mp4'), [sounds], 'picture', undefined],
] as const)('%s', (_, found, pages, wanted, href) => {
  expect(pageFor(found, pages, wanted)?.href).toBe(href);
});
