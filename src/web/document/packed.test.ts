import { expect, test } from 'vitest';
import { pack, unpack } from './packed.ts';

test('what was packed comes back, as the same object where it was packed', () => {
  const value = { title: 'A "title"', links: [{ href: '/' }] };
  const text = pack(value);
  expect(unpack(text)).toBe(value);
  expect(pack(value)).toBe(text);
  expect(JSON.parse(text)).toEqual(value);
});

test('the browser makes one object of a text, however often it asks', () => {
  const text = '{"from":"the server"}';
  expect(unpack(text)).toEqual({ from: 'the server' });
  expect(unpack(text)).toBe(unpack(text));
});

test('a great many different texts are not all remembered, and still read', () => {
  for (let n = 0; n < 2000; n += 1) expect(unpack(pack({ n }))).toEqual({ n });
  expect(unpack('{"n":0}')).toEqual({ n: 0 });
});
