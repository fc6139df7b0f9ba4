import { expect, test } from 'vitest';
import { readMessage } from './message.ts';

const origin = 'https://site.example';
const read = (value: unknown) => readMessage(JSON.stringify(value), origin);

test('reads a message as it was sent', () => {
  const message = { title: 'News', body: 'New', url: '/de/posts?a=1', tag: 'message-7', language: 'de' };
  expect(read(message)).toEqual({ ...message, url: 'https://site.example/de/posts?a=1' });
  expect(read({ title: 'News' })).toEqual({
    title: 'News',
    body: '',
    url: 'https://site.example/',
    tag: '',
    language: '',
  });
});

test.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)', 'http://site.example/', 7])(
  'a notification never leads to %s',
  (url) => {
    expect(read({ title: 'News', url })?.url).toBe('https://site.example/');
  },
);

test.each([undefined, '', '{', '[]', 'null', '"a"', '{"title":7}', '{"title":""}'])(
  '%s is not a message',
  (text) => {
    expect(readMessage(text, origin)).toBeNull();
  },
);
