import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderRichText, sanitizeHtml } from '../../src/content/rich-text/rich-text.ts';
import { hostileTexts, mutatedTexts } from '../../src/content/rich-text/testing/hostile-html.ts';
import { sharedBrowser } from '../support/shared-browser.ts';

const rules = {
  locale: 'en',
  origin: 'https://clipferry.example',
  partnerDomains: [],
  pictures: {},
  labels: { notes: 'Notes', backToText: 'Back' },
};

/** Runs before the page's own scripts; counts every function that an attack calls. */
const trap = `
  globalThis.hits = [];
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open', 'xssed'])
    globalThis[name] = (...given) => void hits.push(name + ' ' + given);
`;

let browser: Browser;
let server: Server;
let origin: string;
let documents: string[] = [];

beforeAll(async () => {
  browser = await sharedBrowser();
  // No Content-Security-Policy: the texts alone must be harmless.
  server = createServer((request, response) => {
    const html = documents[Number(request.url?.slice(1))];
    response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
});

/** Events that could still run a script: pointing, clicking, waiting. */
const remains = `
  [...document.querySelectorAll('#text *')].flatMap((element) => [
    ...(/^(?:script|style|iframe|object|embed|form|input|button|svg|math|template|link|meta|base)$/.test(element.localName)
      ? [element.localName] : []),
    ...[...element.attributes]
      .filter(({ name, value }) => /^on|^style$|^srcdoc$|^name$|^target$|^action$/.test(name) || (!/^(?:title|alt)$/.test(name) && /^\\s*(?:javascript|vbscript|data):/i.test(value)))
      .map(({ name, value }) => element.localName + ' ' + name + '=' + value),
    ...(element.localName === 'a' && !['https:', 'http:', 'mailto:'].includes(element.protocol || 'https:')
      ? [element.href] : []),
    ...(element.id && !/^(?:section-|user-content-fn)/.test(element.id) ? ['id ' + element.id] : []),
  ])`;

/** Shows texts as a separate document, and again by script, in the way of the most careless page. */
async function show(texts: readonly string[]): Promise<{ hits: string[]; remains: string[] }> {
  documents = [
    `<!doctype html><script>${trap}</script><main id="text">${texts.join('<hr>')}</main><div id="late"></div>`,
  ];
  const page: Page = await browser.newPage();
  page.on('dialog', (dialog) => void dialog.dismiss());
  try {
    await page.goto(`${origin}/0`, { waitUntil: 'load' });
    await page.evaluate((parts) => {
      const late = document.getElementById('late') as HTMLElement;
      for (const part of parts) late.insertAdjacentHTML('beforeend', part);
    }, texts as string[]);
    for (const selector of ['a', 'summary', 'img'])
      await page.evaluate((name) => {
        for (const element of document.querySelectorAll<HTMLElement>(`#late ${name}`)) {
          element.addEventListener('click', (event) => event.preventDefault());
          for (const type of ['mouseover', 'focus', 'click', 'error'])
            element.dispatchEvent(new Event(type, { cancelable: true }));
        }
      }, selector);
    // Two frames: queued handlers have run by then.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
    );
    return {
      hits: (await page.evaluate('hits')) as string[],
      remains: (await page.evaluate(remains)) as string[],
    };
  } finally {
    await page.close();
  }
}

test('the trap works: unsanitized, the texts do run', async () => {
  const raw = [
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
  ];
  const seen = await show(raw);
  expect(seen.hits.length).toBeGreaterThan(1);
  expect(seen.remains.length).toBeGreaterThan(2);
});

test('no hostile text runs, as Markdown or as HTML', async () => {
  const rendered = await Promise.all(hostileTexts.map((text) => renderRichText(text, rules)));
  const texts = [
    ...rendered.map(({ html }) => html),
    ...hostileTexts.map((text) => sanitizeHtml(text, rules)),
  ];
  expect(await show(texts)).toEqual({ hits: [], remains: [] });
}, 90_000);

test('no mixture of them runs either', async () => {
  const texts = fc.sample(mutatedTexts, 400);
  const made = texts.map((text) => sanitizeHtml(text, rules));
  const seen = await show(made);
  expect(seen, JSON.stringify(texts)).toEqual({ hits: [], remains: [] });
}, 90_000);
