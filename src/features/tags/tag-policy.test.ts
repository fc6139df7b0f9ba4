import { expect, test } from 'vitest';
import { shortResponse } from '../../server/http/responses/response.ts';
import { contentSecurityPolicy } from '../../server/http/responses/security-headers.ts';
import { contextFor, siteFor } from '../../server/pipeline/testing/route-context.ts';
import { openForTag } from './tag-policy.ts';

const site = siteFor({ tag_ids: { de: 'T-1' }, tag_host: 'https://tags.example/own.js' });
const policy = contentSecurityPolicy("'sha256-x'");
const page = shortResponse(200, 'page', { 'content-security-policy': policy });

function ownHeaders(path: string, headers: Record<string, string>, configuration = site) {
  const context = contextFor(path, { headers, sharedS: 600 });
  openForTag(page, context, configuration);
  return { ...context.responseHeaders, sharedS: context.sharedS };
}

test('a visitor who agreed gets a policy for the tag’s script only, when the language has a tag', () => {
  const opened = policy
    .replace("'sha256-x'", "'sha256-x' https://tags.example/own.js")
    .replace("connect-src 'self'", "connect-src 'self' https://tags.example")
    .replace("img-src 'self' data:", "img-src 'self' data: https://tags.example")
    .replace("trusted-types 'none'", 'trusted-types default');
  expect(ownHeaders('/de', { cookie: 'consent=1.01' })).toEqual({
    'content-security-policy': opened,
    'cross-origin-embedder-policy': 'credentialless',
    sharedS: 0,
  });
  expect(page.headers['content-security-policy']).toBe(policy);
});

test.each([
  // gtag.js loads further parts from its own folder.
  ['https://tags.example', 'https://tags.example/gtag/'],
  ['https://tags.example/gtag/js', 'https://tags.example/gtag/'],
  ['https://tags.example/a/own.js?v=2', 'https://tags.example/a/own.js'],
  ['https://tags.example/a;script-src *,b.js', 'https://tags.example/a%3Bscript-src%20*%2Cb.js'],
])('the scripts of %s come from %s', (tag_host, source) => {
  const context = contextFor('/de', { headers: { cookie: 'consent=1.01' } });
  openForTag(page, context, siteFor({ tag_ids: { de: 'T-1' }, tag_host }));
  const directives = context.responseHeaders['content-security-policy']?.split('; ') ?? [];
  const [scripts] = directives.filter((directive) => directive.startsWith('script-src '));
  expect(scripts?.split(' ').at(-1)).toBe(source);
});

test.each([
  ['/de', {}],
  ['/de', { cookie: 'consent=1.10' }],
  ['/de', { cookie: 'consent=0.11' }],
  ['/de', { cookie: 'consent=1.11', 'sec-gpc': '1' }],
  ['/', { cookie: 'consent=1.11' }],
])('%s with %j keeps the usual policy unchanged', (path, headers) => {
  expect(ownHeaders(path, headers as Record<string, string>)).toEqual({ sharedS: 600 });
});

test('the tag may report to its configured hosts', () => {
  const connect = ['https://*.reports.example', 'https://counts.example:8443'];
  const fields = { tag_ids: { de: 'T-1' }, tag_host: 'https://tags.example', tag_connect: connect };
  const headers = Object.entries(ownHeaders('/de', { cookie: 'consent=1.01' }, siteFor(fields)));
  const opened = headers.flatMap(([, value]) => String(value).split('; '));
  expect(opened).toContain(`connect-src 'self' https://tags.example ${connect.join(' ')}`);
  expect(opened.filter((directive: string) => directive.includes('reports.example'))).toHaveLength(1);
});

test('the policy allows nothing more without a tag', () => {
  expect(ownHeaders('/de', { cookie: 'consent=1.11' }, siteFor())).toEqual({ sharedS: 600 });
});
