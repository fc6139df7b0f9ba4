import fc from 'fast-check';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { refuseNullCharacters } from './bodies.ts';
import { asTyped, controlCharacterIn, isPlainText, plainText } from './plain-text.ts';
import { readableUrl } from './request-url.ts';

test.each(['', 'Pixel 9', 'Ivančić – 東京 👩‍👩‍👧', 'a\u00a0b'])('%j is plain', (text) => {
  expect(isPlainText(text)).toBe(true);
});

test.each(['\0', 'a\0b', 'a\nb', '\t', '\u001b[31m', '\u007f', 'a\u0085b', '\u009b'])(
  '%j is not plain',
  (text) => {
    expect(isPlainText(text)).toBe(false);
  },
);

test('refuses a control character anywhere', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.oneof(fc.integer({ min: 0, max: 0x1f }), fc.integer({ min: 0x7f, max: 0x9f })),
      fc.string(),
      (before, code, after) => {
        const text = before + String.fromCharCode(code) + after;
        expect(plainText(text.length).safeParse(text).success).toBe(false);
      },
    ),
  );
});

test('refuses text longer than the limit', () => {
  expect(plainText(3).safeParse('abc').success).toBe(true);
  expect(plainText(3).safeParse('abcd').success).toBe(false);
});

test.each([
  ['a', null],
  [{ a: [1, null, true, { b: 'c' }], d: undefined }, null],
  ['\0', []],
  [
    ['a', { b: 'c\nd' }],
    ['1', 'b'],
  ],
  [{ a: { 'b\t': 1 } }, ['a']],
])('finds the control character in %j', (value, path) => {
  expect(controlCharacterIn(value)).toEqual(path);
});

test('finds what else may not stand in a text', () => {
  expect(controlCharacterIn({ a: '\n' }, (text) => text !== 'x')).toBe(null);
  expect(controlCharacterIn({ a: ['\n', 'x'] }, (text) => text !== 'x')).toEqual(['a', '1']);
});

/** An app whose endpoints know nothing of control characters. */
function createApp() {
  const app = Fastify({ rewriteUrl: ({ url = '/' }) => readableUrl(url) });
  refuseNullCharacters(app);
  app.setErrorHandler((_, __, reply) => reply.code(400).send());
  app.post('/json', async ({ body, query }) => ({ body, query }));
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, parsed) => parsed(null, body));
    scope.post('/form', async ({ body, headers }) =>
      Object.fromEntries(
        await new Response(new Uint8Array(body as Buffer), {
          headers: { 'content-type': headers['content-type'] ?? '' },
        }).formData(),
      ),
    );
  });
  return app;
}

const app = createApp();
const send = (url: string, type: string, payload: string | Buffer) =>
  app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });
const multipart = (text: string) =>
  ['--x', 'content-disposition: form-data; name="text"', '', text, '--x--', ''].join('\r\n');
const [json, encoded] = ['application/json', 'application/x-www-form-urlencoded'];

test('no endpoint gets U+0000 in a body, and each gets every other text as it was sent', async () => {
  const odd = fc.string({
    unit: fc.constantFrom('\0', '%', '0', '00', '%00', 'a', '\\u0000', 'é', '\u0001'),
  });
  await fc.assert(
    fc.asyncProperty(odd, async (text) => {
      const status = text.includes('\0') ? 400 : 200;
      const answers = [
        await send('/json', json, JSON.stringify({ a: [{ b: text }] })),
        await send('/json', json, JSON.stringify({ [text]: 1 })),
        await send('/form', encoded, new URLSearchParams({ text }).toString()),
        await send('/form', 'multipart/form-data; boundary=x', multipart(text)),
      ];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(4).fill(status));
      if (status === 200) for (const answer of answers.slice(2)) expect(answer.json()).toEqual({ text });
    }),
  );
});

test('no endpoint gets U+0000 in a query', async () => {
  for (const query of ['a=%00', 'a=b%00c&%00=d', 'a=%0%000', 'a=%2500', 'a=x?%00'])
    expect(JSON.stringify((await send(`/json?${query}`, json, '{}')).json().query)).not.toContain('\\u0000');
  expect((await send('/json?a=%2500', json, '{}')).json().query).toEqual({ a: '%00' });
  expect(readableUrl('/author/%00?b=%00')).toBe('/author/%00?b=%EF%BF%BD');
});

test('a text as it can be typed has tabs and line breaks, and no other control character', () => {
  expect(asTyped('a\0b\tc\r\nd\u001b[1m\u0085\u009b é\u200f👩‍👩‍👧')).toBe('ab\tc\r\nd[1m é\u200f👩‍👩‍👧');
});
