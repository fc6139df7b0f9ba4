import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { siteFile } from '../support/site-file.ts';

let product: RunningProduct;

beforeAll(async () => {
  product = await startProduct({ env: { SITE_CONFIG: siteFile({ partner_domains: ['partner.example'] }) } });
});
afterAll(() => product.stop());

const answer = (form: string, headers: Record<string, string> = {}) =>
  fetch(`${product.origin}/consent`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      origin: product.origin,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: form,
  });

const styleFor = async (headers: Record<string, string>) => {
  const response = await fetch(`${product.origin}/consent.css`, { headers });
  expect(response.headers.get('cache-control')).toBe('no-store');
  return response.text();
};

test.each([
  ['answer=all', '1.11'],
  ['answer=none', '1.00'],
  ['answer=chosen&marketing=1', '1.01'],
])('keeps %s for 180 days and shows the page again', async (form, value) => {
  const { status, headers } = await answer(form, { referer: `${product.origin}/de/contact?x=1` });
  expect([status, headers.get('location')]).toEqual([303, '/de/contact?x=1']);
  expect(headers.getSetCookie()).toEqual([`consent=${value}; Max-Age=15552000; Path=/; SameSite=Lax`]);
  expect(headers.get('cache-control')).toBe('no-store');
});

test('the redirect never leaves the site', async () => {
  for (const referer of ['https://evil.example/x', 'nonsense', `${product.origin}//evil.example/`])
    expect((await answer('answer=none', { referer })).headers.get('location')).toBe('/');
});

test('nobody else answers for a visitor, and only answers are accepted', async () => {
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    expect((await answer('answer=all', headers)).status).toBe(403);
  expect((await answer('answer=maybe')).status).toBe(400);
  expect((await answer(`answer=all&x=${'x'.repeat(2000)}`)).status).toBe(413);
  const json = { 'content-type': 'application/json' };
  expect((await answer('{"answer":"all"}', json)).status).toBe(415);
  expect((await fetch(`${product.origin}/consent`)).status).toBe(405);
});

test('a refusal deletes the cookies of statistics, and what the server stores under their name', async () => {
  const agreed = { 'content-type': 'application/json', cookie: 'consent=1.10' };
  const upload_id = crypto.randomUUID();
  const report = await fetch(`${product.origin}/api/web/report`, {
    method: 'POST',
    headers: agreed,
    body: JSON.stringify({ upload_id, mode: 'page_view', data: { url: `${product.origin}/` } }),
  });
  const { data } = (await report.json()) as { data: { token_id: string } };
  const cookie = `lang=de; token_id=${data.token_id}; s_id=abc; sidebarAB=a`;
  const { headers } = await answer('answer=none', { cookie });
  expect(headers.getSetCookie()).toEqual([
    'consent=1.00; Max-Age=15552000; Path=/; SameSite=Lax',
    'token_id=; Max-Age=0; Path=/; SameSite=Lax',
    's_id=; Max-Age=0; Path=/; SameSite=Lax',
  ]);
  const again = await fetch(`${product.origin}/api/web/report`, {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token_id: data.token_id }),
  });
  expect(await again.json()).toMatchObject({ data: { deleted: 0 } });
});

test("without agreement to marketing the tag script's cookies are deleted, even when statistics may stay", async () => {
  const tags = '_ga=GA1.1.1; _ga_4XYZ7=GS1; _gcl_au=1; lang=de';
  const deleted = async (form: string) =>
    (await answer(form, { cookie: tags })).headers.getSetCookie().filter((line) => line.startsWith('_'));
  expect(await deleted('answer=all')).toEqual([]);
  const of = (name: string) => `${name}=; Max-Age=0; Path=/; SameSite=Lax`;
  expect(await deleted('answer=chosen&statistics=1')).toEqual(['_ga', '_ga_4XYZ7', '_gcl_au'].map(of));
});

test('a refusal is accepted however often it comes, and a visitor with many reports is still forgotten', async () => {
  const token_id = `leaves-${crypto.randomUUID()}`;
  const sendReport = (method: string, body: object) =>
    fetch(`${product.origin}/api/web/report`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const statuses = await Promise.all(
    Array.from({ length: 130 }, async () => {
      const upload_id = crypto.randomUUID();
      const view = { upload_id, mode: 'page_view', data: { token_id, url: `${product.origin}/` } };
      return (await sendReport('POST', view)).status;
    }),
  );
  expect(statuses).toContain(429);
  for (let time = 0; time < 2; time += 1)
    expect((await answer('answer=none', { cookie: `token_id=${token_id}` })).status).toBe(303);
  expect((await sendReport('DELETE', { token_id })).status).toBe(200);
});

test("without scripts the visitor's own style sheet hides what has been answered", async () => {
  expect(await styleFor({})).toBe('');
  expect(await styleFor({ cookie: 'consent=1.00' })).toContain('.consent:not(:target){display:none}');
  expect(await styleFor({ cookie: 'consent=0.11' })).toBe('');
  expect(await styleFor({ 'sec-gpc': '1' })).toContain('.consent-refused{display:block}');
  expect(await styleFor({ dnt: '1' })).toContain('.consent-question{display:none}');
});

test('the cached page is the same for everybody', async () => {
  const page = async (cookie: string) =>
    (await fetch(`${product.origin}/contact`, { headers: { cookie } })).text();
  const asked = await page('');
  expect(asked).toContain('action="/consent"');
  expect(await page('consent=1.11')).toBe(asked);
});

test('a site that asks nobody has no trace of it', { skip: !isAudit }, async () => {
  const silent = await startProduct({ env: { SITE_CONFIG: siteFile({ consent: 'off' }) } });
  const page = await (await fetch(`${silent.origin}/`)).text();
  expect(page).not.toMatch(/consent\.css|action="\/consent"|#consent/);
  expect((await fetch(`${silent.origin}/consent.css`)).status).toBe(404);
  expect((await fetch(`${silent.origin}/consent`)).status).toBe(404);
  await silent.stop();
});
