import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSiteConfiguration } from '../../app/parts/read-site-configuration.ts';
import { withOwnName } from '../../site/configuration/example-values.ts';
import { siteFindings } from './site-findings.ts';

const shipped = readFileSync('site.config.json', 'utf8');
const read = (origin?: string) => parseSiteConfiguration(JSON.parse(withOwnName(shipped, origin)));
const found = (origin: string, configuration = read(origin)) =>
  siteFindings(configuration, origin).map(({ of, level }) => `${level} ${of}`);
const unnamed = ['operator', 'operator_address', 'since', 'contact_email'].map((field) => `warning ${field}`);

test('the shipped file becomes the site that the public origin names', () => {
  expect(read('https://my-own.site')).toMatchObject({
    ...{ domain: 'my-own.site', brand: 'my-own.site', operator: 'my-own.site' },
    contact_email: 'contact@my-own.site',
  });
});

test.each([
  undefined,
  'http://localhost:3000',
  'http://127.0.0.1:3000',
  'http://[::1]:3000',
  'http://demo.localhost',
  'http://[fd00::1]:3000',
  'https://test.clipferry.example',
])('and stays the example for %s', (origin) => {
  expect(withOwnName(shipped, origin)).toBe(shipped);
});

test('a public site is told what it does not say of itself', () => {
  expect(found('https://my-own.site')).toEqual(unnamed);
  expect(found('https://clipferry.example')).toEqual(['error domain', ...unnamed]);
  expect(found('http://localhost:3000')).toEqual([]);
  const named = {
    ...{ operator: 'Example Ltd', operator_address: '1 Example Street, Town', since: 2026 },
    ...{ contact_email: 'mail@example.org', domain: 'my-own.site', hosts: ['test.my-own.site'] },
  };
  const own = parseSiteConfiguration({ ...JSON.parse(shipped), ...named });
  for (const host of ['my-own.site', 'www.my-own.site', 'test.my-own.site'])
    expect(found(`https://${host}`, own)).toEqual([]);
  expect(found('https://another.site', own)).toEqual(['warning domain']);
  const unasked = parseSiteConfiguration({ ...JSON.parse(shipped), ...named, consent: 'implied' });
  expect(found('https://my-own.site', unasked)).toEqual(['warning consent']);
});
