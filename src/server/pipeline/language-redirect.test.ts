import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortResponse } from '../http/responses/response.ts';
import { languageRedirect } from './language-redirect.ts';
import { contextFor, siteFor } from './testing/route-context.ts';

const way = languageRedirect(siteFor()).before(() => shortResponse(200));
async function runStep(acceptLanguage: string | undefined, path = '/', cookie?: string) {
  const context = contextFor(path, {
    headers: {
      ...(acceptLanguage !== undefined && { 'accept-language': acceptLanguage }),
      ...(cookie !== undefined && { cookie }),
    },
  });
  return { ...(await way(context)), vary: context.responseHeaders.vary };
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
  expect((await way(contextFor('/', { kind: 'data', headers: { 'accept-language': 'de' } }))).status).toBe(
    200,
  );
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
      const response = way(contextFor('/', { headers: { 'accept-language': header } }));
      if (response instanceof Promise || response.status === 200) return;
      expect(['/de', '/tr', '/tl', '/zh']).toContain(response.headers.location);
    }),
  );
});
