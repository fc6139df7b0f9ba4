import { expect, test } from 'vitest';
import type { DownloadOption } from '../../../site/api.ts';
import { playableFile } from './result.tsx';

const option = (id: string, codec: string, href = `/api/files/${id}`) =>
  ({ id, codec, href, format: id.slice(0, 3) }) as DownloadOption;
const all = (type: string) => (type === '' ? '' : 'probably');
const noHevc = (type: string) => (type.includes('hvc1') ? '' : 'maybe');
const post = [option('mp4', 'h264'), option('mp4-hd', 'h265'), option('mp3', 'mp3'), option('m4a', 'aac')];

test.each([
  ['the video where the page has it', post, ['mp4', 'mp3'], all, 'mp4'],
  ['the sound as it is on a page for sounds', post, ['mp3'], all, 'm4a'],
  ['a video that plays here', [option('mp4', 'h265'), option('mp4-hd', 'h264')], ['mp4'], noHevc, 'mp4-hd'],
  ['nothing that does not', [option('mp4', 'h265')], ['mp4'], noHevc, undefined],
  ['the sound of a slideshow', [option('mp3', 'mp3')], ['mp4', 'mp3'], all, 'mp3'],
  ['nothing of another server', [option('mp4', 'h264', 'https://b.example/x')], ['mp4'], all, undefined],
] as const)('plays %s', (_, options, buttons, canPlay, id) => {
  expect(playableFile(options, buttons, canPlay)?.id).toBe(id);
});
