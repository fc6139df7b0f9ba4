import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkCatalogues, readCatalogues } from './messages/check.ts';
import { fixedSentences } from './messages/fixed-sentences.ts';
import { guideProblems, staleGuides } from './messages/guides.ts';
import { limits } from './messages/limits.ts';
import { columnsOf, messageColumns } from './messages/width.ts';

type Pages = Record<string, Record<string, string>>;

/** The problems of a German catalogue compared with English. */
function problemsOf(english: Pages, german: Pages): string[] {
  const catalogues = new Map([
    ['en', new Map(Object.entries(english))],
    ['de', new Map(Object.entries(german))],
  ]);
  return checkCatalogues(catalogues, () => true).problems;
}

test.each<[string, number]>([
  ['Paste', 5],
  ['ダウンロード', 12],
  ['다운로드 MP3', 12],
  ['डाउनलोड', 7],
  ['ดาวน์โหลด', 8],
  ['e\u0301\u200f', 1],
])('%s takes %i columns', (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

test('a message takes the columns of its longest form, with values of likely length', () => {
  expect(messageColumns('{n, plural, one {# file} other {# files ahead}}')).toBe(4 + ' files ahead'.length);
  expect(messageColumns('Guides on {domain}')).toBe('Guides on '.length + 18);
  expect(messageColumns('Read <link>the {k, select, x {long} other {-}} rules</link>')).toBe(19);
});

test('a label that is too long for its place is a problem, and so is a description that is too short', () => {
  const fitting = { 'link.paste': 'Paste', 'head.description': 'd'.repeat(110) };
  expect(problemsOf({ tool: fitting }, { tool: fitting })).toEqual([]);
  const unfitting = { 'link.paste': 'Aus der Ablage', 'head.description': 'd'.repeat(109) };
  expect(problemsOf({ tool: fitting }, { tool: { ...unfitting, 'link.paste': 'Aus der Ablage!' } })).toEqual([
    'de/tool.json: link.paste takes 15 columns, more than 14',
    'de/tool.json: head.description takes 109 columns, fewer than 110',
  ]);
});

test('English has limits too', () => {
  const long = { 'head.title': 't'.repeat(61) };
  expect(problemsOf({ home: long }, { home: { 'head.title': 'kurz' } })).toEqual([
    'en/home.json: head.title takes 61 columns, more than 60',
  ]);
});

test('a fixed sentence may be continued but not changed', () => {
  const sentence = fixedSentences['errors:link_invalid'];
  const problems = (english: string) =>
    problemsOf({ errors: { link_invalid: english } }, { errors: { link_invalid: 'Ungültig' } });
  expect(problems(`${sentence}. Copy it again.`)).toEqual([]);
  expect(problems('Please enter a link')).toEqual([
    `en/errors.json: link_invalid does not begin with "${sentence}"`,
  ]);
});

test('every limit and every fixed sentence belongs to an existing message', () => {
  const english = readCatalogues('src/i18n/locales').get('en') ?? new Map<string, Record<string, string>>();
  const names = [...english].flatMap(([page, messages]) =>
    Object.keys(messages).map((key) => `${page}:${key}`),
  );
  expect(limits.filter(([pattern]) => !names.some((name) => pattern.test(name)))).toEqual([]);
  expect(Object.keys(fixedSentences).filter((name) => !names.includes(name))).toEqual([]);
});

const picture = '![A ferry](steps.svg)';
const box = '[TikTok downloader](/tiktok-downloader)';
const parts = `1. Copy it.\n2. Paste it.\n\n${picture}\n\n${box}`;

/** A folder with one guide, and a function that writes a language of it. */
function oneGuide() {
  const folder = mkdtempSync(join(tmpdir(), 'guides-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'one'));
  const write = (name: string, title: string, description: string, text = '') =>
    writeFileSync(
      join(folder, 'one', name),
      `---\ntitle: ${title}\ndescription: ${description}\nslug: one\n---\n\n${text}\n\n${parts}\n`,
    );
  return { folder, write };
}

test('guides keep to the limits of pages', () => {
  const { folder, write } = oneGuide();
  write('en.md', 'A guide', 'd'.repeat(155));
  write('ja.md', '題'.repeat(31), '説'.repeat(54));
  writeFileSync(join(folder, 'one', 'de.md'), 'no fields');
  expect(guideProblems(folder)).toEqual([
    'one/de.md:1: does not start with fields between two lines of "---"',
    'one/ja.md: title takes 62 columns, more than 60',
    'one/ja.md: description takes 108 columns, fewer than 110',
  ]);
});

test.each<[string, string, string[]]>([
  ['all it needs', `${parts}\n\nMore.`, []],
  ['steps with pictures', `1. Copy it.\n\n   Then:\n\n2. Paste it.\n\n${picture}\n\n${box}`, []],
  ['no steps', `- Copy it.\n- Paste it.\n\n${picture}\n\n${box}`, ['has no numbered steps']],
  ['one step', `1. Copy it.\n\n${picture}\n\n${box}`, ['has no numbered steps']],
  ['a picture of nothing', `1. A\n2. B\n\n![](steps.svg)\n\n${box}`, ['has no picture']],
  [
    'a link among words',
    `1. A\n2. B\n\n${picture}\n\nOpen the\n${box}\nfirst.`,
    ['has no paragraph that is only a link to a downloader, for its link box'],
  ],
  ['emphasis between letters', `${parts}\n\n*新しい*ものと**新しい**もの。`, []],
  [
    'emphasis that ends between a bracket and a letter',
    `${parts}\n\nこれは*「新」*です。`,
    ['has an asterisk that marks no emphasis: これは*「新」*です。'],
  ],
])('a guide with %s', (_, text, problems) => {
  const { folder } = oneGuide();
  const head = `---\ntitle: A guide\ndescription: ${'d'.repeat(110)}\nslug: one\n---\n\n`;
  writeFileSync(join(folder, 'one', 'en.md'), `${head}${text}\n`);
  expect(guideProblems(folder)).toEqual(problems.map((problem) => `one/en.md: ${problem}`));
});

test('names a translation that is older than the English guide', () => {
  const { folder } = oneGuide();
  const write = (name: string, updated: string) =>
    writeFileSync(
      join(folder, 'one', name),
      `---\ntitle: A guide\ndescription: ${'d'.repeat(110)}\nupdated: ${updated}\n---\n\n${parts}\n`,
    );
  write('en.md', '2026-11-25T08:00:00Z');
  write('de.md', '2026-11-25T08:00:00Z');
  expect(staleGuides(folder)).toEqual([]);
  write('de.md', '2026-11-24T08:00:00Z');
  write('ja.md', '2026-11-22');
  expect(staleGuides(folder)).toEqual(['one: older than the English text in de, ja']);
});

describe('English heads', () => {
  const english = readCatalogues('src/i18n/locales').get('en') ?? new Map<string, Record<string, string>>();
  const messageOf = (page: string, key: string) => english.get(page)?.[key] ?? '';

  test('descriptions fill their place in search results', () => {
    const lengths = [...english].flatMap(([page, messages]) =>
      Object.entries(messages)
        .filter(([key]) => key.endsWith('head.description'))
        .map(([key, text]) => [`${page}:${key}`, messageColumns(text)] as const),
    );
    expect(lengths.length).toBeGreaterThan(15);
    expect(lengths.filter(([, columns]) => columns < 110 || columns > 155)).toEqual([]);
  });

  test.each([
    ['home', 'head.title', /\bHD\b/],
    ['home', 'head.description', /^(?=.*\bHD\b)(?=.*without the watermark)/],
    ['tiktok-downloader', 'hero.title', /without watermark/],
    ['tiktok-video-downloader', 'hero.title', /\bdownload\b.*\bMP4\b/i],
    ['tiktok-video-downloader', 'head.description', /\bdownload\b/i],
    ['download-mp3-tiktok', 'hero.title', /\bdownload\b.*\bMP3\b/i],
    ['download-mp3-tiktok', 'head.description', /\bdownload\b/i],
  ])('%s %s has the words that people search for', (page, key, words) => {
    expect(messageOf(page, key)).toMatch(words);
  });

  test('the home page and the downloader do not compete: their titles share few words', () => {
    const wordsOf = (page: string) => new Set(messageOf(page, 'head.title').toLowerCase().match(/\w+/g));
    const [home, downloader] = [wordsOf('home'), wordsOf('tiktok-downloader')];
    const shared = [...home].filter((word) => downloader.has(word));
    expect(shared.length).toBeLessThanOrEqual(home.size / 2);
  });
});
