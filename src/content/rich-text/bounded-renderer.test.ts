import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { createContentRenderer } from '../content-renderer.ts';
import { createBoundedRenderer, TextRefused } from './bounded-renderer.ts';
import { type RichTextRules, renderRichText } from './rich-text.ts';

const rules: RichTextRules = {
  locale: 'en',
  origin: 'https://site.example',
  partnerDomains: [],
  pictures: { 'a.png': { id: 'a1', width: 400, height: 300, widths: [400], alt: 'A' } },
  labels: { notes: 'Notes', backToText: 'Back to the text' },
};
const ordinary = '## Title\n\nText with [a link](/x), ![A](a.png) and **more**.';

const renderer = createBoundedRenderer();
afterAll(() => renderer.close());

test("renders a text as it would without a thread, and finds its links with the caller's function", async () => {
  const find = (path: string) => ({ href: `/de${path}` });
  expect(await renderer.render(ordinary, rules, find)).toEqual(await renderRichText(ordinary, rules, find));
});

test.each([
  ['emphasis that never closes', '*_'.repeat(10_000), /longer than 1 s/],
  ['elements in elements', '<div>'.repeat(3000), /nested|longer/],
  ['quotes in quotes', `${'> '.repeat(2000)}x`, /nested|longer/],
  ['lists in lists', `${'- '.repeat(1500)}x`, /nested|longer/],
])('%s: refuses it and renders the next text', async (_, markdown, reason) => {
  let turns = 0;
  let done = false;
  const refused = renderer.render(markdown, rules).finally(() => {
    done = true;
  });
  refused.catch(() => {});
  while (!done) {
    // Other tasks run meanwhile, and leave the processor to the thread.
    await pause(1);
    turns += 1;
  }
  await expect(refused).rejects.toThrow(reason);
  await expect(refused).rejects.toThrow(TextRefused);
  expect(turns).toBeGreaterThan(10);
  expect((await renderer.render(ordinary, rules)).headings).toHaveLength(1);
});

test('renders the next text after the link lookup failed', async () => {
  const failing = renderer.render(ordinary, rules, async () => {
    throw new Error('the database is away');
  });
  await expect(failing).rejects.toThrow('the database is away');
  await renderer.render(ordinary, rules);
});

test('shows a stored article that cannot be rendered as it was written, after one attempt for all callers', async () => {
  const bare: string[] = [];
  const renderer = createContentRenderer({
    folder: 'content/legal',
    valuesFor: () => ({
      domain: 'x',
      operator: 'x',
      operator_address: 'x',
      since: 'x',
      source_url: 'x',
      dmca_agent: 'x',
      contact_email: 'x',
      statistics_days: '30',
      cookies_without_consent: '',
      cookies_with_consent: '',
      device_storage: '',
    }),
    rulesFor: () => rules,
    findOwn: async (path) => ({ href: path }),
    onBare: ({ message }) => bare.push(message),
  });
  const body = `First <b>paragraph</b>.\n\n${'<div>'.repeat(3000)}`;
  const article = { locale: 'en', pictures: {}, body } as Parameters<typeof renderer.article>[0];
  const [one, other] = await Promise.all([renderer.article(article), renderer.article(article)]);
  expect(one.nodes[0]).toEqual(['p', {}, 'First <b>paragraph</b>.']);
  expect(one.html).toMatch(/^<p>First &#x3C;b&#x3E;paragraph/);
  expect(other).toBe(one);
  expect(bare).toHaveLength(1);
  await renderer.close();
});
