import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createLegalDocuments,
  fill,
  type LegalValues,
  legalDocumentNames,
  valueNames,
} from './legal-documents.ts';
import { renderRichText } from './rich-text/rich-text.ts';

const folder = join(import.meta.dirname, '../../content/legal');

const values: LegalValues = {
  ...(Object.fromEntries(valueNames.map((name) => [name, 'yes'])) as LegalValues),
  domain: 'site.example',
  operator: 'Example Ltd',
  contact_email: 'mail@site.example',
  operator_address: '1 Example Street, Example Town',
  since: '2026',
  source_url: 'https://code.example/site',
  dmca_agent: 'A. Gent, 2 Example Street, +1 555 0100, agent@site.example',
  statistics_days: '30',
  messages_days: '365',
  cookies_without_consent: '| lang |\n| --- |',
  cookies_with_consent: '| token_id |\n| --- |',
  device_storage: '| theme |\n| --- |',
};

/** Of a site that says and does as little as can be. */
const bare: LegalValues = {
  ...(Object.fromEntries(valueNames.map((name) => [name, ''])) as LegalValues),
  ...{ domain: values.domain, contact_email: values.contact_email, messages_days: '365' },
};

const parts: Parameters<typeof createLegalDocuments>[0] = {
  folders: [folder],
  valuesFor: () => values,
  rulesFor: (locale) => ({
    locale,
    origin: 'https://site.example',
    partnerDomains: [],
    labels: { notes: 'Notes', backToText: 'Back' },
  }),
  make: (markdown, rules) =>
    renderRichText(markdown, rules, (path) => ({
      href: rules.locale === 'en' ? path : `/${rules.locale}${path}`,
    })),
};

const read = createLegalDocuments(parts);

describe.each(legalDocumentNames)('%s', (name) => {
  const files = readdirSync(join(folder, name)).map((file) => file.replace(/\.md$/, ''));

  test.each(files)('in %s has its fields and names the site', async (locale) => {
    const { text, ...fields } = await read(name, locale);
    expect(fields).toMatchObject({ locale, title: expect.stringMatching(/\S/) });
    expect(JSON.stringify(fields) + text.html).not.toMatch(/[{}]\w|\w[{}](?!")/);
    expect(text.html).toContain('mail@site.example');
    expect(text.headings.length).toBeGreaterThan(2);
    const source = readFileSync(join(folder, name, `${locale}.md`), 'utf8');
    expect(fill(source, bare)).not.toContain('{');
  });
});

test.each(legalDocumentNames)('%s keeps its links, headings and tables in each language', (name) => {
  const shapeOf = (file: string) => {
    const body = readFileSync(join(folder, name, file), 'utf8').replace(/^---[\s\S]*?\n---\n/, '');
    return {
      file: null,
      links: [...body.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link).sort(),
      names: [...new Set(body.match(/\{\w+\}/g))].sort(),
      conditions: body.match(/\{(?:if \w+|else|end)\}/g),
      headings: body.match(/^#+ /gm)?.length,
      rows: body.match(/^\|/gm)?.length,
    };
  };
  const original = shapeOf('en.md');
  for (const file of readdirSync(join(folder, name)))
    expect({ ...shapeOf(file), file }).toEqual({ ...original, file });
});

test('falls back to English for a language that has no translation, and says so', async () => {
  expect((await read('dmca', 'xx')).locale).toBe('en');
});

test('links lead to the pages of the text’s language', async () => {
  expect((await read('contact', 'en')).text.html).toContain('<a href="/privacy-policy">');
});

test('leaves out a line that names something that the site does not configure', async () => {
  const unsaid = createLegalDocuments({ ...parts, valuesFor: () => bare });
  const about = (await unsaid('about', 'en')).text.html;
  expect(about).toContain('doesn’t say yet who runs it');
  expect(about).not.toMatch(/since|is responsible for everything|Example Ltd/);
  expect((await unsaid('dmca', 'en')).text.html).not.toContain('designated agent');
  const html = (await read('about', 'en')).text.html;
  expect(html).toContain('Example Ltd, 1 Example Street, Example Town');
  expect(html).toContain('since 2026');
  expect((await read('dmca', 'en')).text.html).toContain('agent@site.example');
});

test.each([
  ['{if ads}Ads.{else}No ads.{end}', 'Ads.', 'No ads.'],
  ['One. {if ads}Two{end}\nThree', 'One. Two\nThree', 'One. \nThree'],
  ['- one\n{if ads}- two{end}\n- three', '- one\n- two\n- three', '- one\n- three'],
  ['{if since}It began in {since}.{else}It is new.{end}', 'It began in 2026.', 'It is new.'],
])('says of %j what holds on a site', (source, yes, no) => {
  expect(fill(source, values)).toBe(yes);
  expect(fill(source, bare)).toBe(no);
});

test('leaves a condition that no site has as it is', () => {
  expect(fill('{if advertisements}x{end} in {place}', values)).toBe('{if advertisements}x{end} in {place}');
});

test('every value is named by a document', () => {
  const sources = legalDocumentNames.map((name) => readFileSync(join(folder, name, 'en.md'), 'utf8')).join();
  expect(valueNames.filter((name) => !sources.match(`\\{(?:if )?${name}\\}`))).toEqual([]);
});
