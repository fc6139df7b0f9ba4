import { afterAll, beforeAll, expect, test } from 'vitest';
import { locales } from '../../src/i18n/languages.ts';
import { isAudit } from '../support/audit/scope.ts';
import { runCli } from '../support/cli.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';

const host = 'my-own.site';
const env = { SITE_ORIGIN: `https://${host}` };
/** Whose site the shipped file would make. */
const example = 'clipferry.example';

let mail: MailServer;
let product: RunningProduct;
beforeAll(async () => {
  mail = await startMailServer();
  product = await startProduct({
    env: {
      ...env,
      SMTP_URL: mail.url,
      CONTACT_TO: 'operator@example.org',
      OPERATOR_PASSWORD: 'six random words',
    },
  });
});
afterAll(async () => {
  await product.stop();
  await mail.stop();
});

/** Everything that a visitor gets at a path: status, headers and text. */
async function everythingAt(path: string): Promise<string> {
  const response = await fetch(product.origin + path, { redirect: 'manual' });
  return [response.status, ...[...response.headers].flat(), await response.text()].join('\n');
}

const pathsIn = (xml: string) =>
  [...xml.matchAll(new RegExp(`<loc>https://${host}([^<]*)</loc>`, 'g'))].map(([, path = '']) => path);

test('a public site with the shipped file names itself, and the example nowhere', async () => {
  const parts = pathsIn(await everythingAt('/sitemap.xml'));
  const pages = (await Promise.all(parts.map(everythingAt))).flatMap(pathsIn);
  // In every language who runs the site and its home page, and everything in one; in the audit everything in all.
  const legal = /\/(?:about|privacy-policy)$/;
  const home = /^\/(?:[a-z]{2})?$/;
  const asked = pages.filter(
    (path) => isAudit || legal.test(path) || home.test(path) || !/^\/[a-z]{2}\//.test(path),
  );
  expect(asked.filter((path) => path.endsWith('/privacy-policy'))).toHaveLength(locales.length);
  const others = [
    ...['/sitemap.xml', ...parts, '/robots.txt', '/humans.txt', '/ads.txt', '/manifest.webmanifest'],
    ...[
      '/.well-known/security.txt',
      '/feed.xml',
      '/atom.xml',
      '/feed.json',
      '/de/feed.xml',
      '/de/manifest.webmanifest',
    ],
    ...['/api', '/api/openapi.json', '/api/status', '/api/state?path=/de/contact', '/de/contact.data'],
    ...['/no-such-page', '/api/no-such-call', '/operator', '/www', '/de/view-articles', '/ar/pagelink'],
  ];
  const wrong: string[] = [];
  for (const path of [...asked, ...others])
    if ((await everythingAt(path)).toLowerCase().includes(example)) wrong.push(path);
  expect(wrong).toEqual([]);
  const about = await everythingAt('/about');
  expect(about).toContain(host);
  expect(about).toContain(`contact@${host}`);
  // Nobody is named, and this site has statistics and a desk, but no ads, notifications or error reports.
  expect(about).toMatch(/doesn’t say yet who runs it.*There are no ads\..*All of them go to this site/s);
  const policy = await everythingAt('/privacy-policy');
  expect(policy).toMatch(/without your IP address.*wrong password on the operator’s login page/s);
  expect(policy).toMatch(/Statistics, only if you agree.*after 365 days.*We confirm by email/s);
  expect(policy).not.toMatch(
    /is responsible for|push service|error report|until you decline|consent to marketing/,
  );
  expect(await everythingAt('/manifest.webmanifest')).toContain('"My-own"');
});

test('and so do its mails', async () => {
  const response = await fetch(`${product.origin}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Ada',
      email: 'ada@example.org',
      subject: 'A question',
      message: 'How do I save a slideshow with its sound?',
    }),
  });
  expect(response.status).toBe(200);
  await until('two mails arrive', () => mail.mails.length === 2);
  const texts = mail.mails.map((one) => JSON.stringify(one));
  for (const text of texts) expect([text, text.includes(example)]).toEqual([text, false]);
  expect(texts.filter((text) => text.includes(`contact@${host}`)).length).toBeGreaterThan(0);
});

test('site check says what the file lacks, and how to mend it', async () => {
  const { code, output } = await runCli(['site', 'check', '--json'], env);
  expect(code).toBe(0);
  const { missing } = JSON.parse(output) as { missing: { field: string; what: string; todo: string }[] };
  expect(missing.map(({ field }) => field)).toEqual([
    'operator',
    'operator_address',
    'since',
    'contact_email',
  ]);
  for (const { field, todo } of missing) expect(todo).toContain(`set "${field}" in`);
});
