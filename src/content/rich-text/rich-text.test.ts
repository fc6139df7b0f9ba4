import { expect, test } from 'vitest';
import { type RichTextRules, renderRichText } from './rich-text.ts';

const rules: RichTextRules = {
  locale: 'en',
  origin: 'https://site.example',
  partnerDomains: ['partner.example'],
  pictures: {
    'wide.png': { id: 'w1', width: 1600, height: 900, widths: [480, 800, 1600], alt: '' },
    'small.png': { id: 's1', width: 400, height: 300, widths: [400], alt: 'Small' },
    'middle.png': { id: 'm1', width: 720, height: 360, widths: [480, 720], alt: '' },
  },
  labels: { notes: 'Notes', backToText: 'Back to the text' },
};
const html = async (markdown: string) => (await renderRichText(markdown, rules)).html;

test('marks all links except our own and those of partners', async () => {
  expect(await html('[a](/contact) [b](https://site.example/x?y#z) [c](#section-c)')).toBe(
    '<p><a href="/contact">a</a> <a href="/x?y#z">b</a> <a href="#section-c">c</a></p>',
  );
  expect(await html('[a](https://www.partner.example/)')).toContain('rel="noopener"');
  for (const stranger of [
    'https://notpartner.example/',
    'https://partner.example.evil.example/',
    '//evil.example',
    '/\\evil.example',
    'https://site.example@evil.example/',
    'https://site.example:8443/',
  ])
    expect(await html(`<a href="${stranger}">a</a>`), stranger).toContain('rel="nofollow noopener"');
  expect(await html('[a](https://site.example//evil.example)')).toBe('<p>a</p>');
});

test('turns links to other sites into text from the sixth on, unless they say keep-link', async () => {
  const many = Array.from({ length: 7 }, (_, at) => `[*${at}*](https://e${at}.example/)`).join(' ');
  const made = await html(
    `${many} <a class="keep-link red" href="https://kept.example/">kept</a> [own](/own) [p](https://partner.example/)`,
  );
  expect(made.match(/nofollow/g)).toHaveLength(6);
  expect(made).toContain('<em>5</em> <em>6</em>');
  expect(made).toContain('<a class="keep-link" href="https://kept.example/" rel="nofollow noopener">');
  expect(made).toContain('<a href="/own">own</a> <a href="https://partner.example/"');
});

test('writes a path of ours in the language of the text', async () => {
  const requested: string[] = [];
  const made = await renderRichText('[a](/x?q#h) [b](/x) [c](/y)', rules, (path) => {
    requested.push(path);
    return { href: path === '/x' ? '/de/x' : path };
  });
  expect(made.html).toBe('<p><a href="/de/x?q#h">a</a> <a href="/de/x">b</a> <a href="/y">c</a></p>');
  expect(requested).toEqual(['/x', '/y']);
});

test('marks a link to a page in another language, for readers and for programs', async () => {
  const otherLanguage = { lang: 'en', note: '(auf <Englisch>)' };
  const made = await renderRichText('[Formen](/x#y), [hier](/z)', rules, (path) =>
    path === '/x' ? { href: path, otherLanguage } : { href: `/de${path}` },
  );
  expect(made.html).toBe(
    '<p><a href="/x#y" hreflang="en">Formen <small>(auf &#x3C;Englisch>)</small></a>, <a href="/de/z">hier</a></p>',
  );
  expect(made.nodes).toEqual([
    [
      'p',
      {},
      ['a', { href: '/x#y', hrefLang: 'en' }, 'Formen ', ['small', {}, '(auf <Englisch>)']],
      ', ',
      ['a', { href: '/de/z' }, 'hier'],
    ],
  ]);
});

test('loads pictures lazily, writes their size, and lets wide ones extend beyond the column', async () => {
  const wide = await html('![Wide](wide.png)');
  expect(wide).toContain('<source type="image/avif" srcset="/pictures/w1-480.avif 480w, ');
  expect(wide).toMatch(
    /<img src="\/pictures\/w1-800.jpg"[^>]* alt="Wide" width="780" height="439" class="picture-wide" loading="lazy" decoding="async">/,
  );
  expect(await html('<img src="./small.png">')).toMatch(
    /src="\/pictures\/s1-400.jpg"[^>]* alt="Small" width="400" height="300" loading="lazy"/,
  );
  expect(await html('![](middle.png)')).toMatch(/width="720" height="360" class="picture-wide"/);
});

test('turns a picture of another site into a link, which counts like any other', async () => {
  expect(await html('![Cat](https://pictures.example/cat.png)')).toBe(
    '<p><a href="https://pictures.example/cat.png" rel="nofollow noopener">Cat</a></p>',
  );
  expect(await html('<img src="data:image/png;base64,AAAA" alt="Cat">')).toBe('Cat');
});

test('gives headings prefixed addresses and builds the table of contents from them', async () => {
  const { html: made, headings } = await renderRichText(
    '# Top\n\n## content\n\n### *Sub* part\n\n## content',
    rules,
  );
  expect(headings).toEqual([
    { id: 'section-top', text: 'Top', level: 2 },
    { id: 'section-content', text: 'content', level: 2 },
    { id: 'section-sub-part', text: 'Sub part', level: 3 },
    { id: 'section-content-1', text: 'content', level: 2 },
  ]);
  expect(made).not.toContain('<h1');
});

test('tables scroll by themselves, tasks are characters, notes use words of the language', async () => {
  expect(await html('| a |\n| - |\n| b |')).toMatch(/^<div class="table-scroll" tabindex="0"><table>/);
  expect(await html('- [x] done\n- [ ] open')).toMatch(/☑ done[\s\S]*☐ open/);
  expect(await html('a[^1]\n\n[^1]: b')).toMatch(/<a href="#user-content-fn-1"[\s\S]*<h2[^>]*>Notes<\/h2>/);
});

test('the elements that a browser builds say the same as the HTML', async () => {
  const { nodes, html: made } = await renderRichText('Hi **you** <script>x</script> [a](/b)', rules);
  expect(nodes).toEqual([['p', {}, 'Hi ', ['strong', {}, 'you'], '  ', ['a', { href: '/b' }, 'a']]]);
  expect(made).toBe('<p>Hi <strong>you</strong>  <a href="/b">a</a></p>');
});

test('reading time counts words in languages with and without spaces', async () => {
  const minutes = async (markdown: string, locale: string) =>
    (await renderRichText(markdown, { ...rules, locale })).minutes;
  expect(await minutes('', 'en')).toBe(1);
  expect(await minutes('word '.repeat(221), 'en')).toBe(2);
  expect(await minutes('私は本を読みます。'.repeat(100), 'ja')).toBeGreaterThan(2);
});
