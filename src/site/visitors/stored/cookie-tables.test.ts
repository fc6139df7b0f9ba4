import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { locales } from '../../../i18n/languages.ts';
import { cookieTables } from './cookie-tables.ts';
import { storedItems } from './stored-items.ts';

const halves = ['a', 'b'].map((name) => ({ name, weight: 1 }));
const experiment = { name: 'sidebarAB', variants: halves, pages: [], start: null, end: null };

test.each(locales)('in %s every stored item is in one table, with a translation', (locale) => {
  const tables = Object.values(cookieTables(locale, [experiment])).join('\n');
  for (const name of [...Object.keys(storedItems), 'sidebarAB'])
    expect(tables.split(`\`${name}\``)).toHaveLength(2);
  expect(tables).not.toMatch(/\|[^\S\n]*\||cookies\.|undefined/);
});

test('writes lifetimes in the language, and joins rows with the same purpose', () => {
  const german = cookieTables('de', []);
  expect(german.cookies_without_consent).toContain(
    '| `lang` | merkt sich die Sprache, die du gewählt hast | 1 Jahr |',
  );
  expect(german.cookies_with_consent).toContain('| `doc_id`, `visit_timestamp` |');
  expect(german.cookies_with_consent).toMatch(/`s_id` \|.*\| 30 Minuten \|/);
  expect(german.cookies_without_consent).not.toContain('visitor_guid');
  expect(german.device_storage).toContain('| `theme` |');
});

test('no cookie is listed as staying on the device: browsers send every cookie to the server', () => {
  const { device_storage, cookies_without_consent } = cookieTables('en', []);
  const cookies = Object.entries(storedItems).flatMap(([name, { where }]) =>
    where === 'cookie' ? [name] : [],
  );
  expect(cookies.filter((name) => device_storage.includes(`\`${name}\``))).toEqual([]);
  expect(cookies_without_consent).toContain('`file-names`');
});

test('docs/privacy.md and docs/security.md say what the code and the features say', () => {
  execFileSync(process.execPath, ['tools/write-documents.ts', '--check'], { stdio: 'pipe' });
});
