import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultLocale, isLocale, languages, locales, negotiateLocale } from './languages.ts';

test('the languages match the address grammar, in its order', () => {
  expect(locales.join(' ')).toBe('en ar pl tr it bg ru hu es de pt sr sv fr el nl da tl th hi id ko zh ja');
  expect(locales.filter((locale) => languages[locale].direction === 'rtl')).toEqual(['ar']);
});

test('Intl can format with every tag', () => {
  for (const locale of locales) {
    const { lang, hreflang, intl } = languages[locale];
    expect(Intl.getCanonicalLocales([lang, intl])).toEqual([...new Set([lang, intl])]);
    expect(() => new Intl.Locale(hreflang)).not.toThrow();
    expect(Intl.NumberFormat.supportedLocalesOf([intl])).toHaveLength(1);
    expect(new Intl.NumberFormat(intl).format(720)).toBe('720');
  }
});

test('names of object members are not languages', () => {
  for (const name of ['constructor', '__proto__', 'toString', '', 'EN', 'xx'])
    expect(isLocale(name)).toBe(false);
});

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['tr', 'tr'],
  ['de-AT', 'de'],
  ['TR-tr', 'tr'],
  ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
  ['xx, yy;q=0.9, ar;q=0.1', 'ar'],
  ['en;q=0.3, fr;q=0.7', 'fr'],
  ['fr;q=0.7, de;q=0.7', 'fr'],
  ['fil-PH', 'tl'],
  ['zh-TW', 'zh'],
  ['*', 'en'],
  ['en;q=0, *', 'ar'],
  ['de;q=0, de-AT', 'en'],
  ['tr;q=0', 'en'],
  ['tr; q=0.5 , ar ;q=0.6', 'ar'],
  ['tr;q=7, ar;q=0.6', 'ar'],
  ['tr;level=1, ar;q=0.1', 'ar'],
  ['constructor, __proto__', 'en'],
])('answers Accept-Language %j in %s', (header, locale) => {
  expect(negotiateLocale(header)).toBe(locale);
});

test('returns a language for any text', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'entrar;q=0.1,*- ') })),
      (header) => {
        expect(isLocale(negotiateLocale(header))).toBe(true);
      },
    ),
  );
});

test('the highest weight wins, whatever the order', () => {
  const ranges = fc.uniqueArray(
    fc.record({ locale: fc.constantFrom(...locales), weight: fc.integer({ min: 1, max: 999 }) }),
    { selector: ({ locale }) => locale, minLength: 1, maxLength: 24 },
  );
  fc.assert(
    fc.property(ranges, (wanted) => {
      const header = wanted
        .map(({ locale, weight }) => `${locale};q=0.${String(weight).padStart(3, '0')}`)
        .join(', ');
      const best = Math.max(...wanted.map(({ weight }) => weight));
      expect(negotiateLocale(header)).toBe(wanted.find(({ weight }) => weight === best)?.locale);
    }),
  );
});

test('does not return a refused language', () => {
  const refused = fc.subarray([...locales], { minLength: 1, maxLength: locales.length - 1 });
  fc.assert(
    fc.property(refused, (names) => {
      const header = [...names.map((name) => `${name};q=0`), '*;q=0.5'].join(',');
      expect(names).not.toContain(negotiateLocale(header));
    }),
  );
});

test('reads only the beginning of a huge header', () => {
  expect(negotiateLocale(`${'xx;q=0.1,'.repeat(31)}tr`)).toBe('tr');
  expect(negotiateLocale(`${'xx;q=0.1,'.repeat(32)}tr`)).toBe(defaultLocale);
  expect(negotiateLocale(`${' '.repeat(1000)}tr`)).toBe(defaultLocale);
});
