import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCatalogues } from './messages/check.ts';
import {
  allNumbersIn,
  type Claim,
  conditions,
  claims as coreClaims,
  numbersIn,
  unsaid,
} from './messages/claims.ts';

const root = join(import.meta.dirname, '..');
const catalogues = readCatalogues(join(root, 'src/i18n/locales'));

/** Each feature itself lists the promises of texts about it. */
const ofFeatures = await Promise.all(
  globSync('src/features/*/testing/claims.ts', { cwd: root }).map(async (path) => {
    const { claims } = (await import(join(root, path))) as { claims: readonly Claim[] };
    return claims;
  }),
);
const claims = [...coreClaims, ...ofFeatures.flat()];

test('features have their own claims', () => {
  expect(ofFeatures.length).toBeGreaterThan(0);
});

/** Every message of a language by its `page:key`. */
const messagesOf = (locale: string) =>
  [...(catalogues.get(locale) ?? [])].flatMap(([page, messages]) =>
    Object.entries(messages).map(([key, text]) => [`${page}:${key}`, text] as const),
  );

const documents = globSync(
  ['content/{articles,legal,authors}/*/en.md', 'README.md', 'docs/decisions/0010-*.md'],
  {
    cwd: root,
  },
);
/** Everything that visitors and newcomers read in English, by `page:key` or path. */
const texts = new Map<string, string>([
  ...messagesOf('en'),
  ...documents.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
]);

describe.each(claims)('$about: $value', (claim) => {
  test.each(claim.where)('%s says so', (place) => {
    expect(numbersIn(texts.get(place) ?? '', claim)).toContain(claim.value);
  });

  test('and no text says otherwise', () => {
    const other = [...texts]
      .map(([place, text]) => [place, numbersIn(text, claim)] as const)
      .filter(([, numbers]) => numbers.some((number) => number !== claim.value));
    expect(other).toEqual([]);
  });
});

test.each([...catalogues.keys()].filter((locale) => locale !== 'en'))(
  'a promise in %s has no number that is missing in both the English one and the product',
  (locale) => {
    const translated = new Map<string, string>(messagesOf(locale));
    const promises = [...texts].filter(([, text]) =>
      claims.some((claim) => numbersIn(text, claim).length > 0),
    );
    const wrong = promises.flatMap(([place, text]) => {
      // Some languages write "one" as a digit.
      const allowed = new Set([1, ...allNumbersIn(text), ...claims.map(({ value }) => value)]);
      const others = (translated.get(place)?.match(/\d+/g) ?? []).filter(
        (digits) => !allowed.has(Number(digits)),
      );
      return others.length === 0 ? [] : [`${place}: ${others.join(', ')}`];
    });
    expect(wrong).toEqual([]);
  },
);

test('replies are promised within 24 to 48 hours, except in the one fixed sentence', () => {
  const promises = [...texts].flatMap(([place, text]) =>
    (text.match(/\b(?:repl(?:y|ies)|answer) within [\w ]+? hours/gi) ?? []).map((said) => [place, said]),
  );
  const fixed = promises.filter(([place]) => place === 'forms:sent');
  expect(fixed).toHaveLength(1);
  expect(promises.length).toBeGreaterThan(5);
  for (const [place, said] of promises)
    expect([place, said]).toEqual([
      place,
      expect.stringMatching(place === 'forms:sent' ? / 48 / : / 24 to 48 /),
    ]);
});

/** The lines of all English texts for visitors, with their place. */
const lines = [...texts]
  .filter(([place]) => !place.endsWith('README.md') && !place.startsWith('docs/'))
  .flatMap(([place, text]) => text.split('\n').map((line) => [place, line] as const));

test.each(conditions)('$about, and texts name the condition', ({ said, named }) => {
  const found = lines.filter(([, line]) => said.test(line));
  expect(found).not.toEqual([]);
  expect(found.filter(([, line]) => !named.test(line))).toEqual([]);
});

test('no text leaves open what holds on this site', () => {
  expect(lines.filter(([, line]) => unsaid.test(line))).toEqual([]);
});
