import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureKeys } from '../failures/failures.ts';
import { availableLocales, loadMessages, openCatalogue } from './catalogue.ts';
import { createTranslate } from './translate.ts';

let path: string;
let folder: URL;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'catalogue-'));
  folder = pathToFileURL(`${path}/`);
  write('en', 'home', { a: 'One {n, plural, one {#} other {#}}', b: 'Two' });
});

afterEach(() => rmSync(path, { recursive: true }));

function write(locale: string, page: string, messages: object): string {
  mkdirSync(join(path, locale), { recursive: true });
  const file = join(path, locale, `${page}.json`);
  writeFileSync(file, JSON.stringify(messages));
  return file;
}

test('English replaces a missing message, page or language', () => {
  write('tr', 'home', { b: 'İki' });
  write('en', 'tool', { c: 'Three' });
  const catalogue = openCatalogue({ folder });
  expect(catalogue.availableLocales).toEqual(['en', 'tr']);
  expect(catalogue.loadMessages('tr', 'home')).toMatchObject({ b: 'İki', a: ['One ', expect.anything()] });
  expect(catalogue.loadMessages('tr', 'tool')).toEqual({ c: 'Three' });
  expect(catalogue.loadMessages('ja', 'home')).toEqual(catalogue.loadMessages('en', 'home'));
});

test('compiles a file once', () => {
  const catalogue = openCatalogue({ folder });
  const first = catalogue.loadMessages('en', 'home');
  write('en', 'home', { a: 'changed' });
  expect(catalogue.loadMessages('en', 'home')).toBe(first);
});

test('reads a changed file again in development', () => {
  const catalogue = openCatalogue({ folder, reread: true });
  expect(catalogue.loadMessages('tr', 'home')).toMatchObject({ b: 'Two' });
  utimesSync(write('tr', 'home', { b: 'İki' }), 1, 1);
  expect(catalogue.loadMessages('tr', 'home')).toMatchObject({ b: 'İki' });
  utimesSync(write('tr', 'home', { b: 'Çift' }), 2, 2);
  expect(catalogue.loadMessages('tr', 'home')).toMatchObject({ b: 'Çift' });
});

test.each(['none', '../home', 'en/home', '', 'home.json', '__proto__'])('there is no page %j', (page) => {
  expect(() => openCatalogue({ folder }).loadMessages('tr', page)).toThrow();
});

test('names a wrong message', () => {
  write('tr', 'home', { a: 'Bir {n' });
  expect(() => openCatalogue({ folder }).loadMessages('tr', 'home')).toThrow(
    'tr/home.json: "a" is no ICU message',
  );
  write('ar', 'home', { a: 1 });
  expect(() => openCatalogue({ folder }).loadMessages('ar', 'home')).toThrow('ar/home.json: "a" is no text');
});

test('pseudo-languages are English in disguise', () => {
  write('en', 'home', {
    plain: 'Paste a link',
    plural: '{n, plural, one {# file} other {<b>#</b> files}} of {name}',
    date: 'On {day, date, long}',
  });
  const catalogue = openCatalogue({ folder, pseudo: true });
  const texts = (locale: 'en' | 'ar') => {
    const t = createTranslate(locale, catalogue.loadMessages(locale, 'home')) as unknown as (
      key: string,
      values?: object,
    ) => string;
    const values = { n: 2, name: 'x7', b: (chunks: unknown[]) => `[${chunks.join('')}]` };
    return [t('plain'), t('plural', values), t('date', { day: new Date(0) })];
  };
  const [plain, plural, date] = texts('en');
  expect(plain).toBe('Páašţée áa ļîiñķ');
  expect(plural).toBe('[2] ƒîiļéeš öoƒ x7');
  expect(date).toBe('Öñ January 1, 1970');
  expect(texts('ar')[0]).toBe('\u202ePaste\u202c \u202ea\u202c \u202elink\u202c');
  expect(catalogue.loadMessages('tr', 'home')).toEqual(openCatalogue({ folder }).loadMessages('en', 'home'));
});

test('the site’s own catalogues compile, and every failure has its message', () => {
  expect(availableLocales()).toContain('en');
  for (const locale of availableLocales()) {
    const messages = loadMessages(locale, 'errors');
    const failures = Object.keys(messages).filter((key) => !/^(?:notice|hint)\./.test(key));
    expect(failures.sort()).toEqual([...failureKeys].sort());
    expect(messages.link_missing).toMatch(/https:\/\/.*http:\/\/.*https:\/\/(?:www|vm)\.tiktok\.com\/\S/);
  }
  expect(loadMessages('en', 'errors').link_missing).toContain(
    'Please paste a TikTok address with https:// or http://',
  );
  expect(loadMessages('en', 'errors').link_invalid).toMatch(/^Please enter a valid video URL/);
});
