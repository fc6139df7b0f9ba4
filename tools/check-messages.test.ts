import { expect, test } from 'vitest';
import { checkCatalogues } from './messages/check.ts';
import { messageValuesFile } from './messages/values.ts';

type Messages = Record<string, string>;

const isLocale = (name: string) => ['en', 'tr', 'ar', 'ru'].includes(name);

/** The check's result for one page in another language. */
function check(english: Messages, own: Messages, locale = 'tr') {
  const catalogues = new Map([
    ['en', new Map([['home', english]])],
    [locale, new Map([['home', own]])],
  ]);
  const { problems, warnings } = checkCatalogues(catalogues, isLocale);
  return { problems: problems.map((problem) => problem.replace(/^.*?\.json: /, '')), warnings };
}

test('accepts a good translation', () => {
  const english = { a: 'Hello {name}', b: '{n, plural, one {# file} other {# files}}', c: 'MP3' };
  const own = { a: 'Merhaba {name}', b: '{n, plural, one {# dosya} other {# dosya}}', c: 'MP3' };
  expect(check(english, own)).toEqual({ problems: [], warnings: [] });
});

test.each<[string, Messages, Messages, string]>([
  ['missing key', { a: 'A', b: 'B' }, { a: 'A' }, 'b is missing'],
  ['extra key', { a: 'A' }, { a: 'A', b: 'B' }, 'b does not exist in English'],
  ['untranslated', { a: 'This is four words' }, { a: 'This is four words' }, 'a is not translated'],
  ['syntax', { a: 'A' }, { a: 'A {' }, 'a is no ICU message: EXPECT_ARGUMENT_CLOSING_BRACE'],
  ['lost value', { a: 'A {n}' }, { a: 'A' }, 'a lacks {n}'],
  ['other value', { a: 'A {n}' }, { a: 'A {n} {m}' }, 'a has {m}, which English has not'],
  ['lost tag', { a: 'A <b>c</b>' }, { a: 'A c' }, 'a lacks <b>'],
  ['value for tag', { a: 'A <b>c</b>' }, { a: 'A {b}' }, 'a uses "b" in another way than English'],
  ['date as text', { a: 'A {d, date}' }, { a: 'A {d}' }, 'a uses "d" in another way than English'],
  [
    'lost choice',
    { a: '{k, select, x {X} other {Y}}' },
    { a: '{k, select, other {Y}}' },
    'a lacks the choice x of "k"',
  ],
  ['space', { a: 'A' }, { a: 'A ' }, 'a is empty, or begins or ends with a space'],
  ['empty', { a: 'A' }, { a: '' }, 'a is empty, or begins or ends with a space'],
  [
    'offset',
    { a: 'A' },
    { a: '{n, plural, offset:1 one {#} other {#}}' },
    'a is no ICU message: Plural offsets are not supported',
  ],
])('finds: %s', (_, english, own, problem) => {
  expect(check(english, own).problems).toContain(problem);
});

test('requires the plural forms of the language, no more and no fewer', () => {
  const english = { a: '{n, plural, one {# file} other {# files}}' };
  expect(check(english, { a: '{n, plural, one {#} other {#}}' }, 'ar').problems).toEqual([
    expect.stringMatching(/^a lacks the plural form (zero|two|few|many|, )+ of "n"$/),
  ]);
  expect(check(english, { a: '{n, plural, =0 {-} one {#} few {#} other {#}}' }).problems).toEqual([
    'a has the plural form few of "n", which the language has not',
  ]);
  const russian = '{n, plural, one {#} few {#} many {#} other {#}}';
  expect(check(english, { a: russian }, 'ru').problems).toEqual([]);
});

test('applies its rules to English too', () => {
  expect(check({ a: '{n, plural, other {#}}' }, { a: '{n, plural, one {#} other {#}}' }).problems).toEqual([
    'a lacks the plural form one of "n"',
  ]);
});

test('finds missing and unknown pages and languages', () => {
  const catalogues = new Map([
    ['en', new Map([['home', { a: 'A' }]])],
    ['tr', new Map([['other', { a: 'A' }]])],
    ['xx', new Map()],
  ]);
  expect(checkCatalogues(catalogues, isLocale).problems).toEqual([
    'tr/home.json is missing',
    'tr/other.json: English has no such page',
    'xx: no language of the site',
  ]);
});

test('warns about quotation marks of another language', () => {
  expect(check({ a: '“A”' }, { a: '«A»', b: '"b" it\'\'s' }, 'ar').warnings).toEqual([
    'ar/home.json: b has straight quotation marks',
    'ar/home.json: b has a straight apostrophe',
  ]);
  expect(check({ a: '“A”' }, { a: '“A”' }, 'ru').warnings).toEqual([
    'ru/home.json: a has “ ” where the language uses «»',
  ]);
});

test('writes the types of values', () => {
  const home = {
    'a.b': 'Hello {name}, <link>{n, plural, one {#} other {{n}}}</link>',
    c: 'plain',
    d: '{d, date, long} {k, select, x {X} other {Y}}',
  };
  const file = messageValuesFile(
    new Map<string, Messages>([
      ['home', home],
      ['errors', { c: 'plain' }],
    ]),
  );
  expect(file).toContain("  home: typeof import('./locales/en/home.json');");
  expect(file).toContain(`  home: {
    'a.b': { name: Text; link: Tag; n: number };
    d: { d: Date; k: string };
  };`);
});
