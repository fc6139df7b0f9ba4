import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { grounds } from '../configuration/accent.ts';

const order = '@layer reset, tokens, base, components, layout, pages;';

/** The files with the site's own colours, and with a feature's. */
const isOfColours = (file: string) => file === 'src/site/ui/tokens.css' || file.endsWith('-colours.css');

const sheets = new Map(
  globSync('src/{app,features,site}/**/*.css').map((file) => [
    file,
    readFileSync(file, 'utf8')
      .replaceAll(/\/\*.*?\*\//gs, '')
      .trim(),
  ]),
);
const imports = /@import "([^"]+)"(.*);/g;

/** Whether a text consists of one block: `@layer pages { … }`. */
function isBlock(text: string): boolean {
  if (!/^@layer (?:base|components|layout|pages) \{/.test(text)) return false;
  let depth = 0;
  return [...text].every((sign, at) => {
    if (sign === '{') depth += 1;
    if (sign === '}') depth -= 1;
    return depth > 0 || at < text.indexOf('{') || at === text.length - 1;
  });
}

test('every rule is in a layer; outside, it would override all others', () => {
  const layered = new Set<string>();
  for (const [file, text] of sheets)
    for (const [, path = '', how] of text.matchAll(imports))
      if (/^ layer\((?:reset|tokens|base|components|layout|pages)\)$/.test(how ?? ''))
        layered.add(normalize(join(dirname(file), path)));
  const outside = [...sheets].filter(([file, text]) => {
    const isOrdered = text.startsWith(order);
    const isOfImports = isOrdered && text.slice(order.length).replaceAll(imports, '').trim() === '';
    const isInBlock = isOrdered && isBlock(text.slice(order.length).trim());
    // A font face is in no layer.
    const isOfFonts = text.replaceAll(/@font-face\s*\{[^}]*\}/g, '').trim() === '';
    return !layered.has(file) && !isOfImports && !isInBlock && !isOfFonts;
  });
  expect(outside.map(([file]) => file)).toEqual([]);
});

test('colours have names', () => {
  const raw = [...sheets].filter(([, text]) => /#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/i.test(text));
  const files = raw.map(([file]) => file);
  expect(files).toContain('src/site/ui/tokens.css');
  expect(files.filter((file) => !isOfColours(file))).toEqual([]);
});

test("the theme colours match those of the page's head", () => {
  const [, light, dark] =
    /--sea: light-dark\((#\w+), (#\w+)\)/.exec(sheets.get('src/site/ui/tokens.css') ?? '') ?? [];
  const named = readFileSync('src/app/root.tsx', 'utf8').matchAll(/name="theme-color" content="(#\w+)"/g);
  expect([...named].map(([, colour]) => colour)).toEqual([light, dark]);
});

test('the backgrounds that an accent colour is checked on are those of the tokens', () => {
  const tokens = sheets.get('src/site/ui/tokens.css') ?? '';
  const pairs = ['paper', 'surface', 'surface-sunk'].map((name) =>
    new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens)?.slice(1),
  );
  expect({ light: pairs.map((pair) => pair?.[0]), dark: pairs.map((pair) => pair?.[1]) }).toEqual(grounds);
});
