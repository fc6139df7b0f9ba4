import compile from 'icu-minify/compile';
import { expect, expectTypeOf, test, vi } from 'vitest';
import type { Locale } from './languages.ts';
import { createTranslate, type MessageKey, type Messages } from './translate.ts';

/** Messages that are in no catalogue: the types of the real ones are checked below. */
function translator(locale: Locale, texts: Record<string, string>, onMissing?: (key: string) => void) {
  const messages = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, compile(text)]));
  const t = createTranslate(locale, JSON.parse(JSON.stringify(messages)) as Messages, {
    ...(onMissing && { onMissing }),
  });
  return t as unknown as {
    (key: string, values?: object): string;
    rich(key: string, values: object): unknown[];
  };
}

test('inserts values', () => {
  const t = translator('en', { a: 'Post by {author}', b: 'No values', c: '' });
  expect(t('a', { author: 'scout' })).toBe('Post by scout');
  expect(t('b')).toBe('No values');
  expect(t('c')).toBe('');
});

test.each([
  ['en', 1, '1 one'],
  ['en', 2, '2 other'],
  ['ar', 0, '0 zero'],
  ['ar', 2, '2 two'],
  ['ar', 3, '3 few'],
  ['ar', 11, '11 many'],
  ['ar', 100, '100 other'],
  ['ru', 21, '21 one'],
  ['ja', 1, '1 other'],
] as const)('chooses the plural of %s for %i', (locale, n, expected) => {
  const forms = 'zero one two few many other'.split(' ').map((form) => `${form} {# ${form}}`);
  expect(translator(locale, { a: `{n, plural, ${forms.join(' ')}}` })('a', { n })).toBe(expected);
});

test('chooses exact numbers, ordinals and selects', () => {
  const t = translator('en', {
    exact: '{n, plural, =0 {none} one {one} other {#}}',
    place: '{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}',
    kind: '{kind, select, video {a video} other {a post}}',
  });
  expect(t('exact', { n: 0 })).toBe('none');
  expect(t('exact', { n: 1200 })).toBe('1,200');
  expect([1, 2, 3, 4].map((n) => t('place', { n }))).toEqual(['1st', '2nd', '3rd', '4th']);
  expect(t('kind', { kind: 'video' })).toBe('a video');
  expect(t('kind', { kind: 'photos' })).toBe('a post');
});

test("writes numbers and dates in the language's format", () => {
  const texts = { n: '{n, number}', p: '{n, number, percent}', d: '{d, date, long}', s: '{n, number, ::.0}' };
  const values = { n: 1234.5, d: new Date('2026-02-03T23:30:00Z') };
  expect(translator('tr', texts)('n', values)).toBe('1.234,5');
  expect(translator('tr', texts)('p', { n: 0.25 })).toBe('%25');
  expect(translator('tr', texts)('d', values)).toBe('3 Şubat 2026');
  expect(translator('en', texts)('s', values)).toBe('1,234.5');
  expect(translator('ar', texts)('n', values)).toBe('1,234.5');
});

test('functions replace tags, which are numbered in order', () => {
  const t = translator('en', { a: 'See <a>the <b>{name}</b> page</a> or <c>this</c>.' });
  const make = (tag: string) => (chunks: unknown[], key: number) => ({ tag, key, chunks });
  expect(t.rich('a', { name: 'help', a: make('a'), b: make('b'), c: make('c') })).toEqual([
    'See ',
    { tag: 'a', key: 1, chunks: ['the ', { tag: 'b', key: 0, chunks: ['help'] }, ' page'] },
    ' or ',
    { tag: 'c', key: 2, chunks: ['this'] },
    '.',
  ]);
  expect(translator('en', { a: 'plain' }).rich('a', {})).toEqual(['plain']);
});

test('isolates text of the other direction', () => {
  const texts = { a: '[{name}]' };
  expect(translator('ar', texts)('a', { name: 'scout' })).toBe('[\u2068scout\u2069]');
  expect(translator('ar', texts)('a', { name: '12' })).toBe('[12]');
  expect(translator('en', texts)('a', { name: 'scout' })).toBe('[scout]');
  expect(translator('en', texts)('a', { name: 'سكاوت' })).toBe('[\u2068سكاوت\u2069]');
});

test('a missing key throws here, and is reported and shown when there is a listener', () => {
  expect(() => translator('en', {})('a.b')).toThrow('There is no message "a.b" (en)');
  const onMissing = vi.fn();
  expect(translator('en', {}, onMissing)('constructor')).toBe('constructor');
  expect(onMissing).toHaveBeenCalledExactlyOnceWith('constructor', 'en');
});

test('the compiler knows keys and values', () => {
  const t = createTranslate<'common' | 'tool'>('en', {}, { onMissing: () => undefined });
  expectTypeOf<MessageKey<'common'>>().extract<'link.label'>().toEqualTypeOf<'link.label'>();
  t('link.label');
  t('home', { domain: 'clipferry.example' });
  createTranslate<'home'>('en', {}, { onMissing: () => undefined })(`faq.${3 as number}.answer`);
  // @ts-expect-error no such key
  t('link.labels');
  // @ts-expect-error the value is not given
  t('home');
  // @ts-expect-error another value than the message has
  t('home', { name: 'x' });
  // @ts-expect-error a plural needs a number
  t('photos.title', { count: '3' });
  // @ts-expect-error the message takes no values
  t('link.label', { x: 1 });
});
