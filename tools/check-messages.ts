/**
 * Fails when a message catalogue lacks a message, has a superfluous one or has one that would not work in its language:
 * for the languages in the site configuration, and those named as arguments. Also when a guide's title or description
 * is too long or too short, it has no numbered steps, picture or link box, or an asterisk in it marks no emphasis. With
 * `--write` it also writes `src/i18n/message-values.ts`, which tells the compiler the pages and the values of each
 * message.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isLocale } from '../src/i18n/languages.ts';
import { checkCatalogues, readCatalogues } from './messages/check.ts';
import { guideProblems, staleGuides } from './messages/guides.ts';
import { messageValuesFile } from './messages/values.ts';

const folder = new URL('../src/i18n/locales/', import.meta.url);
const configurationFile = new URL('../site.config.json', import.meta.url);
const valuesFile = new URL('../src/i18n/message-values.ts', import.meta.url);

const configured: readonly string[] = JSON.parse(readFileSync(configurationFile, 'utf8')).locales;
const all = readCatalogues(fileURLToPath(folder));
const catalogues = new Map([...all].filter(([locale]) => locale === 'en' || configured.includes(locale)));
const { problems, warnings } = checkCatalogues(catalogues, isLocale);

// An unpublished language may be unfinished; if named as an argument it is checked like the others.
for (const [locale, pages] of all) {
  if (catalogues.has(locale)) continue;
  const draft = new Map([
    ['en', all.get('en') ?? new Map()],
    [locale, pages],
  ]);
  const found = checkCatalogues(draft, isLocale).problems;
  if (process.argv.includes(locale)) problems.push(...found);
  else if (found.length > 0) warnings.push(`${locale} is not on the site yet: ${found.length} problems`);
}

const guides = fileURLToPath(new URL('../content/articles/', import.meta.url));
problems.push(...guideProblems(guides));
warnings.push(...staleGuides(guides));

const values = messageValuesFile(catalogues.get('en') ?? new Map());
if (process.argv.includes('--write')) writeFileSync(valuesFile, values);
else if (!existsSync(valuesFile) || readFileSync(valuesFile, 'utf8') !== values)
  problems.push('src/i18n/message-values.ts is stale: run `npm run check:messages -- --write`');

for (const warning of warnings) console.warn(`warning: ${warning}`);
for (const problem of problems) console.error(problem);
const count = [...catalogues.values()]
  .flatMap((pages) => [...pages.values()])
  .flatMap((page) => Object.keys(page));
console.log(
  `${catalogues.size} languages, ${count.length} messages, ${problems.length} problems, ${warnings.length} warnings`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
