import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxSvgBytes, readSvg } from './svg.ts';

const read = (text: string) => readSvg(Buffer.from(text));
const open = '<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540" viewBox="0 0 480 270">';

test('a drawing has a size', () => {
  expect(read(`${open}<g fill="url(#a)"><path d="M0 0h1"/></g>\n</svg>\n`)).toEqual({
    width: 960,
    height: 540,
  });
});

test('reads the bundled drawings', () => {
  const files = globSync('content/articles/*/*.svg');
  expect(files.length).toBeGreaterThan(20);
  // A drawing inside a text is as wide as the text; a cover is also shown larger.
  for (const file of files)
    expect([file, readSvg(readFileSync(file)).width]).toEqual([
      file,
      file.endsWith('/cover.svg') ? 960 : 700,
    ]);
});

test.each([
  ['', 'empty'],
  ['text', 'empty'],
  ['<svg viewBox="0 0 1 1"/>', 'does not begin with <svg width'],
  ['<g width="1" height="1"/>', 'does not begin with <svg width'],
  ['<svg width="1px" height="1"/>', 'does not begin with <svg width'],
  [`${open}<script>alert(1)</script></svg>`, 'has <script>'],
  [`${open}<SCRIPT>alert(1)</SCRIPT></svg>`, 'has <SCRIPT>'],
  [`${open}<foreignObject/></svg>`, 'has <foreignObject>'],
  [`${open}<image href="/a.png"/></svg>`, 'has <image>'],
  [`${open}<a href="/">x</a></svg>`, 'has <a>'],
  [`${open}<style>g{}</style></svg>`, 'has <style>'],
  [`${open}<path onload="alert(1)"/></svg>`, 'has onload='],
  [`${open}<path style="fill:url(https://a.example)"/></svg>`, 'has style='],
  [`${open}<path fill="url(https://a.example)"/></svg>`, 'has fill='],
  [`${open}<path fill="url( 'https://a.example')"/></svg>`, 'has fill='],
  [`${open}<path xlink:href="https://a.example"/></svg>`, 'has xlink:href='],
  [`${open}<path d="&#x6a;"/></svg>`, 'has d='],
  [`<!DOCTYPE svg>${open}</svg>`, 'not plain SVG at "<!DOCTYPE'],
  [`<?xml version="1.0"?>${open}</svg>`, 'not plain SVG at "<?xml'],
  [`${open}<!-- --></svg>`, 'not plain SVG at "<!--'],
  [`${open}<![CDATA[<script>]]></svg>`, 'not plain SVG at "<![CDATA'],
  [`${open}<path d='M0 0'/></svg>`, 'not plain SVG at "<path'],
  [`${open}${' '.repeat(maxSvgBytes)}</svg>`, 'larger than'],
])('refuses %j', (text, reason) => {
  expect(() => read(text)).toThrow(reason);
});

test('accepts nothing that a browser would run', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<script>',
      '</script>',
      '<path d="M0 0"/>',
      ' onload="x"',
      '<g ',
      '>',
      '"',
      '<!--',
      '<a href="x">',
      'url(',
      '#a)',
    ),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = `${open}${pieces.join('')}</svg>`;
      try {
        read(text);
      } catch {
        return;
      }
      expect(text).not.toMatch(/<script|<a[\s>]|<[^>]*\son\w+=|<[^>]*href=/i);
    }),
  );
});
