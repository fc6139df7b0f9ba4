import { beforeEach, expect, test } from 'vitest';
import type { TicketFile } from '../../downloader/tickets/ticket-file.ts';
import { createRateLimits } from '../http/limits/visitor-limits.ts';
import { openFile, withCut } from './requested-file.ts';

const sound: TicketFile = { kind: 'sound', format: 'mp3', post: { platform: 'tiktok', id: '1' } };
const cutOf = (query: object) => {
  const { cut } = withCut(sound, query) as { cut?: unknown };
  return cut;
};

test.each([
  ['1.239', '2.231', 1230, 2240],
  ['0:01.001', '0:01.004', 1000, 1010],
  ['0.009', undefined, 0, 86_400_000],
  [undefined, '3.5', 0, 3500],
])('a cut from %s to %s begins and ends at hundredths around it', (from, to, fromMs, toMs) => {
  expect(cutOf({ from, to })).toEqual({ fromMs, toMs, isRingtone: false });
});

test('a second of a sound has a hundred beginnings', () => {
  const found = new Set<string>();
  for (let ms = 0; ms < 1000; ms++)
    for (const query of [
      { from: `${ms / 1000}`, to: '9' },
      { from: `${ms / 1000}`, ringtone: '1' },
    ])
      found.add(JSON.stringify(cutOf(query)));
  expect(found.size).toBe(200);
});

let open: (visitor: string, query: object) => Promise<unknown>;
beforeEach(() => {
  const { create } = createRateLimits();
  const limits = { files: create('files', 1000), cuts: create('cuts', 3, 600) };
  const parts = { tickets: { open: () => sound }, limits };
  open = (key, query) => {
    const request = { visitor: { key, block: 'b' }, query, params: { ticket: 'x' } };
    return openFile(request as never, parts as never);
  };
});

test('cuts have an allowance of their own, whole files are not counted in it', async () => {
  for (let n = 0; n < 3; n++) await open('one', { from: String(n) });
  await expect(open('one', { from: '9' })).rejects.toMatchObject({ key: 'rate_limited' });
  await expect(open('one', {})).resolves.toEqual(sound);
  for (let n = 0; n < 30; n++) await open(`neighbour ${n}`, { from: '1' }).catch(() => {});
  await expect(open('last of the block', { from: '1' })).rejects.toMatchObject({ key: 'rate_limited' });
});
