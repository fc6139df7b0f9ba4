import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createDownloadLimit } from './download-limit.ts';

const answer = (closed = false) => Object.assign(new EventEmitter(), { closed }) as unknown as ServerResponse;

test('a visitor has a limited number of downloads at once, and gets another when one has ended', () => {
  const limit = createDownloadLimit(2);
  const visitor = { key: 'a', block: 'x' };
  const [first, second] = [answer(), answer()];
  limit(visitor, first);
  limit(visitor, second);
  expect(() => limit(visitor, answer())).toThrow(
    expect.objectContaining({ key: 'downloads_limited', retryAfterS: 10 }),
  );
  limit({ key: 'b', block: 'x' }, answer());
  first.emit('close');
  limit(visitor, answer());
  expect(() => limit(visitor, answer())).toThrow('downloads_limited');
});

test('a block has eight times as many, and one that ended before it was counted does not count', () => {
  const limit = createDownloadLimit(2);
  for (let n = 0; n < 100; n++) limit({ key: 'gone', block: 'x' }, answer(true));
  for (let n = 0; n < 16; n++) limit({ key: String(n), block: 'x' }, answer());
  expect(() => limit({ key: 'new', block: 'x' }, answer())).toThrow('downloads_limited');
  limit({ key: 'new', block: 'y' }, answer());
});
