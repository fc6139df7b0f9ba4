import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderRichText, sanitizeHtml } from './rich-text.ts';
import { hostileTexts, mutatedTexts } from './testing/hostile-html.ts';

const rules = {
  locale: 'en',
  origin: 'https://clipferry.example',
  partnerDomains: [],
  pictures: { 'x.png': { id: 'x', width: 800, height: 600, widths: [800], alt: '' } },
  labels: { notes: 'Notes', backToText: 'Back' },
};

test.each(hostileTexts.map((text) => [text]))('sanitizing twice changes nothing: %j', async (text) => {
  const { html } = await renderRichText(text, rules);
  expect(sanitizeHtml(html, rules)).toBe(html);
  const clean = sanitizeHtml(text, rules);
  expect(sanitizeHtml(clean, rules)).toBe(clean);
});

test('sanitizing any mixture of them twice changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(mutatedTexts, async (text) => {
      const { html } = await renderRichText(text, rules);
      expect(sanitizeHtml(html, rules)).toBe(html);
    }),
    { numRuns: 250 },
  );
}, 60_000);
