import { expect, test } from 'vitest';
import type { DownloadOption, ResolveResult } from '../../../site/api.ts';
import { cutChoice } from './cut-options.ts';

const option = (id: string, more: Partial<DownloadOption> = {}) =>
  ({ id, href: `/api/files/${id}`, ...more }) as DownloadOption;
const sound = (id: string) => option(id, { status_href: `/api/files/${id}/status` });
const idsOf = (options: DownloadOption[], durationS = 60) => {
  const { files, ringtones } = cutChoice({ post: { duration_s: durationS }, options } as ResolveResult);
  return [files, ringtones].map((buttons) => buttons.map(({ option: { id } }) => id));
};

test('offers cuts of every file of a post with a length, and ringtones of its sounds', () => {
  const options = [option('mp4'), option('mp4-hd'), sound('mp3'), sound('m4a'), option('zip')];
  expect(idsOf(options)).toEqual([
    ['mp4', 'mp4-hd', 'mp3', 'm4a'],
    ['mp3', 'm4a'],
  ]);
  expect(idsOf(options, 0)).toEqual([[], []]);
});

test('offers no cut of a video without partial access, of an mp3 of the platform, or of a file of another backend', () => {
  expect(idsOf([option('mp4', { whole_only: true })])).toEqual([[], []]);
  expect(idsOf([option('mp4'), option('mp4-hd', { whole_only: true })])).toEqual([['mp4'], []]);
  expect(idsOf([sound('mp3')])).toEqual([[], []]);
  expect(idsOf([option('mp4', { href: 'https://other.example/api/files/mp4' })])).toEqual([[], []]);
});
