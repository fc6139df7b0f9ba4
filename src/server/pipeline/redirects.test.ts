import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortResponse } from '../http/responses/response.ts';
import { i18n, languageRedirect, routeRedirect } from './redirects.ts';
import { contextFor, siteFor } from './testing/route-context.ts';

const page = () => shortResponse(200);
const leaveFormer = routeRedirect(siteFor(), 'https://site.example').before(page);

test.each([
  ['/video-converter', '/'],
  ['/video-downloader/', '/'],
  ['/de/video-converter?source=old&x=1', '/de?source=old&x=1'],
  ['/tr/de/video-downloader', '/de'],
  ['/tr/video-downloader', '/tr'],
  ['/ph/video-converter', '/tl'],
  ['/en/video-converter', '/'],
])('%s -> %s', async (path, target) => {
  const response = await leaveFormer(contextFor(path));
  expect([response.status, response.headers.location]).toEqual([301, target]);
});

test.each(['/video-converter-2', '/x/video-converter', '/constructor', '/'])('%s stays', async (path) => {
  expect((await leaveFormer(contextFor(path))).status).toBe(200);
});

test.each([
  ['/de/contact?x=1', 'https://site.example/de/contact?x=1'],
  ['//evil.example', 'https://site.example/'],
])('www. and %s redirect to %s', async (path, target) => {
  const response = await leaveFormer(contextFor(path, { host: 'WWW.site.example' }));
  expect([response.status, response.headers.location]).toEqual([301, target]);
});

test.each(['www.evil.example', 'evil.example', 'www.site.example.evil.example', 'www.www.site.example'])(
  'does not follow the host %s',
  async (host) => {
    expect((await leaveFormer(contextFor('/', { host }))).status).toBe(200);
  },
);

test('does not redirect a form, nor the data of a page', async () => {
  expect((await leaveFormer(contextFor('/video-converter', { method: 'POST' }))).status).toBe(200);
  expect((await leaveFormer(contextFor('/video-converter', { kind: 'data' }))).status).toBe(200);
});

const readPrefix = i18n().before(page);

test.each([
  ['/ph/contact?x=1', '/tl/contact?x=1'],
  ['/en/contact', '/contact'],
  ['/tr/tr/contact', '/tr/contact'],
  ['/DE/contact', '/de/contact'],
  ['/tr/PH', '/tl'],
])('%s -> %s', async (path, target) => {
  const response = await readPrefix(contextFor(path));
  expect([response.status, response.headers.location]).toEqual([301, target]);
});

test.each([
  ['/contact', 'en'],
  ['/tr/de/contact', 'de'],
  ['/tl', 'fil'],
])('%s is in %s', async (path, lang) => {
  const context = contextFor(path);
  expect((await readPrefix(context)).status).toBe(200);
  expect(context.responseHeaders).toEqual({ 'content-language': lang });
});

test('the browser’s router receives its redirects from the page', async () => {
  expect((await readPrefix(contextFor('/en/contact', { kind: 'data' }))).status).toBe(200);
});

const chooseLanguage = languageRedirect(siteFor()).before(page);

async function runStep(acceptLanguage: string | undefined, path = '/', cookie?: string) {
  const context = contextFor(path, {
    headers: {
      ...(acceptLanguage !== undefined && { 'accept-language': acceptLanguage }),
      ...(cookie !== undefined && { cookie }),
    },
  });
  return { ...(await chooseLanguage(context)), vary: context.responseHeaders.vary };
}

test.each([
  ['de', '/de'],
  ['de-AT,de;q=0.9,en;q=0.8', '/de'],
  ['TR-tr', '/tr'],
  ['fil-PH,en', '/tl'],
  ['zh-TW', '/zh'],
  ['zh-Hant-HK', '/zh'],
  ['zh-SG', '/zh'],
  ['zh', '/zh'],
  ['de;q=0.5,en', '/de'],
])('redirects %s to %s', async (header, target) => {
  const answer = await runStep(header, '/?source=x');
  expect([answer.status, answer.headers.location]).toEqual([302, `${target}?source=x`]);
  expect(answer.vary).toBe('Accept-Language, Cookie');
});

test.each([
  ['en-GB,de;q=0.9'],
  ['zh-CN,zh;q=0.9,de'],
  ['zh-Hans-CN,zh;q=0.9'],
  ['fr,de;q=0.9'],
  ['xx,de'],
  ['de;q=0,en'],
  ['*'],
  ['constructor'],
  [''],
  [undefined],
])('does not redirect %s', async (header) => {
  const answer = await runStep(header);
  expect(answer.status).toBe(200);
  expect(answer.vary).toBe('Accept-Language, Cookie');
});

test('redirects on the root path only', async () => {
  for (const path of ['/contact', '/tr', '/index', '//'])
    expect((await runStep('de', path)).status).toBe(200);
  expect(
    (await chooseLanguage(contextFor('/', { kind: 'data', headers: { 'accept-language': 'de' } }))).status,
  ).toBe(200);
});

test('never overrides the visitor’s choice; a cookie without a language is not a choice', async () => {
  expect((await runStep('de', '/', 'lang=en')).status).toBe(200);
  expect((await runStep('de', '/', 'x=1; lang=tr')).headers.location).toBe('/tr');
  expect((await runStep(undefined, '/', 'lang=tr')).headers.location).toBe('/tr');
  expect((await runStep('de', '/', 'lang=fr')).status).toBe(302);
  expect((await runStep('de', '/', 'lang=//evil.example')).status).toBe(302);
});

test('always redirects to a home page of this site, whatever the header says', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), (header) => {
      const response = chooseLanguage(contextFor('/', { headers: { 'accept-language': header } }));
      if (response instanceof Promise || response.status === 200) return;
      expect(['/de', '/tr', '/tl', '/zh']).toContain(response.headers.location);
    }),
  );
});
