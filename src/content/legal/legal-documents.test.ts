import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderRichText } from '../rich-text/rich-text.ts';
import { createLegalDocuments, legalDocumentNames } from './legal-documents.ts';

const folder = join(import.meta.dirname, '../../../content/legal');

const values = {
  domain: 'site.example',
  operator: 'Example Ltd',
  contact_email: 'mail@site.example',
  operator_address: '1 Example Street, Example Town',
  since: '2026',
  source_url: 'https://code.example/site',
  dmca_agent: 'A. Gent, 2 Example Street, +1 555 0100, agent@site.example',
  statistics_days: '30',
  cookies_without_consent: '| lang |\n| --- |',
  cookies_with_consent: '| token_id |\n| --- |',
  device_storage: '| theme |\n| --- |',
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

const documents = createLegalDocuments(parts);

describe.each(legalDocumentNames)('%s', (name) => {
  const files = readdirSync(join(folder, name)).map((file) => file.replace(/\.md$/, ''));

  test.each(files)('in %s has its fields and names the site', async (locale) => {
    const { text, ...fields } = await documents.read(name, locale);
    expect(fields).toMatchObject({ locale, title: expect.stringMatching(/\S/) });
    expect(JSON.stringify(fields) + text.html).not.toMatch(/[{}]\w|\w[{}](?!")/);
    expect(text.html).toContain('mail@site.example');
    expect(text.headings.length).toBeGreaterThan(2);
  });
});

test.each(legalDocumentNames)('%s keeps its links, headings and tables in each language', (name) => {
  const shapeOf = (file: string) => {
    const body = readFileSync(join(folder, name, file), 'utf8').replace(/^---[\s\S]*?\n---\n/, '');
    return {
      file: null,
      links: [...body.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link).sort(),
      names: [...new Set(body.match(/\{\w+\}/g))].sort(),
      headings: body.match(/^#+ /gm)?.length,
      rows: body.match(/^\|/gm)?.length,
    };
  };
  const original = shapeOf('en.md');
  for (const file of readdirSync(join(folder, name)))
    expect({ ...shapeOf(file), file }).toEqual({ ...original, file });
});

test('falls back to English for a language that has no translation, and says so', async () => {
  expect((await documents.read('dmca', 'xx')).locale).toBe('en');
});

test('links lead to the pages of the text’s language', async () => {
  expect((await documents.read('contact', 'en')).text.html).toContain('<a href="/privacy-policy">');
});

test('leaves out a line that names something that the site does not configure', async () => {
  const unsaid = createLegalDocuments({
    ...parts,
    valuesFor: () => ({ ...values, operator_address: '', since: '', dmca_agent: '' }),
  });
  const about = (await unsaid.read('about', 'en')).text.html;
  expect(about).toContain('Example Ltd answers for everything here');
  expect(about).not.toContain('since');
  expect((await unsaid.read('dmca', 'en')).text.html).not.toContain('designated agent');
  const html = (await documents.read('about', 'en')).text.html;
  expect(html).toContain('Example Ltd, 1 Example Street, Example Town');
  expect(html).toContain('since 2026');
  expect((await documents.read('dmca', 'en')).text.html).toContain('agent@site.example');
});
