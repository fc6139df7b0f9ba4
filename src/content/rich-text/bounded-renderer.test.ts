import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
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
afterEach(() => vi.useRealTimers());

test("renders a text as it would without a process, and finds its links with the caller's function", async () => {
  const find = (path: string) => ({ href: `/de${path}` });
  expect(await renderer.render(ordinary, rules, find)).toEqual(await renderRichText(ordinary, rules, find));
});

test.each([
  ['emphasis that never closes', '*_'.repeat(10_000), /longer than 1 s/],
  ['elements in elements', '<div>'.repeat(3000), /nested|longer/],
  ['quotes in quotes', `${'> '.repeat(2000)}x`, /nested|longer/],
  ['lists in lists', `${'- '.repeat(1500)}x`, /nested|longer/],
  [
    'much of everything, which no thread stops making when it is told to',
    ['**a'.repeat(60_000), '`'.repeat(30_000), '> '.repeat(9000), '<'.repeat(90_000)].join('\n\n'),
    /longer/,
  ],
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

test('refuses a text in whose making its thread cannot be ended, and leaves no process', async () => {
  const renderer = createBoundedRenderer(new URL('./testing/endless-worker.ts', import.meta.url));
  let pid = 0;
  const refused = renderer.render(ordinary, rules, (path) => {
    pid = Number(path);
    return { href: path };
  });
  await expect(refused).rejects.toMatchObject({ name: 'TextRefused', isCostly: true });
  expect(pid).toBeGreaterThan(0);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('renders the next text after the link lookup failed', async () => {
  const failing = renderer.render(ordinary, rules, async () => {
    throw new Error('the database is away');
  });
  await expect(failing).rejects.toThrow('the database is away');
  await renderer.render(ordinary, rules);
});

test('shows a stored article that cannot be rendered as it was written, after one attempt an hour for all callers', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  // A cache takes the time 0 for none.
  vi.advanceTimersByTime(1);
  const bare: string[] = [];
  const renderer = createContentRenderer({
    folders: ['content/legal'],
    valuesFor: () => expect.fail('no legal document is read'),
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
  vi.advanceTimersByTime(59 * 60_000);
  expect(await renderer.article(article)).toEqual(one);
  expect(bare).toHaveLength(1);
  vi.advanceTimersByTime(2 * 60_000);
  await renderer.article(article);
  expect(bare).toHaveLength(2);
  await renderer.close();
});
