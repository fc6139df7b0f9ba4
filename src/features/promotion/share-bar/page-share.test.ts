import { expect, test } from 'vitest';
import { loadMessages } from '../../../i18n/catalogue.ts';
import { type Locale, locales } from '../../../i18n/languages.ts';
import { pageShare } from './page-share.ts';
import type { ShareConfiguration } from './share.ts';

const usual: ShareConfiguration = { networks: null, marks: { hashtags: [], twitterUser: '' } };
const shareIn = (locale: Locale, configuration = usual, variant = false) =>
  pageShare(configuration, { locale, variant }, loadMessages(locale, 'share'));
const offered = (...given: Parameters<typeof shareIn>) => shareIn(...given).offers.map(({ id }) => id);

test.each<[Locale, string[]]>([
  ['en', ['facebook', 'x', 'pinterest', 'reddit']],
  ['ja', ['line']],
  ['th', ['line']],
  ['ru', ['vk', 'telegram']],
  ['es', ['whatsapp']],
  ['pt', ['whatsapp']],
  ['hi', ['whatsapp']],
  ['id', ['whatsapp']],
  ['ko', ['naver', 'band']],
  ['zh', ['weibo', 'qzone']],
  ['el', ['viber']],
])('in %s %j come first', (locale, first) => {
  expect(offered(locale).slice(0, first.length)).toEqual(first);
});

test('every language has a few networks, each once, with translated names', () => {
  const copies = locales.map((locale) => {
    const { offers, words } = shareIn(locale);
    expect(offers.length).toBeGreaterThanOrEqual(5);
    expect(new Set(offers.map(({ id }) => id)).size).toBe(offers.length);
    for (const { label, link, outline } of offers) {
      expect(label).not.toMatch(/[{}]/);
      expect(link).toContain('{url}');
      expect(outline).toMatch(/^[Mm]\d/);
    }
    return words.copy;
  });
  expect(new Set(copies).size).toBeGreaterThan(20);
});

test('networks of the configuration keep a language’s order, and custom ones their own', () => {
  const networksOf = ['Mastodon', 'linkedin', 'x', 'line'].map((id) => ({
    id,
    link: id === 'Mastodon' ? 'https://mastodon.example/share?text={url}' : null,
  }));
  const configuration = { ...usual, networks: networksOf };
  expect(offered('ja', configuration)).toEqual(['line', 'x', 'Mastodon', 'linkedin']);
  expect(offered('ru', configuration)).toEqual(['Mastodon', 'linkedin', 'x', 'line']);
  expect(shareIn('en', configuration).offers.find(({ id }) => id === 'Mastodon')).toEqual({
    id: 'Mastodon',
    label: 'Share on Mastodon',
    link: 'https://mastodon.example/share?text={url}',
    outline: expect.any(String),
  });
});

test('the second layout of a page also has Quora', () => {
  expect(offered('en')).not.toContain('quora');
  expect(offered('en', usual, true)).toEqual([
    'facebook',
    'x',
    'pinterest',
    'reddit',
    'whatsapp',
    'quora',
    'email',
  ]);
});

test('marks programs that computers rarely have', () => {
  expect(
    shareIn('bg')
      .offers.filter(({ isApp }) => isApp)
      .map(({ id }) => id),
  ).toEqual(['viber']);
});
