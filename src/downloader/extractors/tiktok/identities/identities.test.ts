import { describe, expect, it, test } from 'vitest';
import { makeIdentities, usualUserAgents } from './identities.ts';
import { IdentityError, makeIdentity } from './identity.ts';

const own = 'Clipferry/1.2.3 (+https://site.example)';
const all = makeIdentities(undefined, own);
const named = (name: string) => all.find((one) => one.name === name) ?? expect.unreachable(name);

describe('identities', () => {
  it('are browsers, phones and the own name, in this order', () => {
    expect(all.map(({ name, kind }) => [name, kind])).toEqual([
      ...[
        ['chrome', 'desktop'],
        ['firefox', 'desktop'],
        ['older-chrome', 'desktop'],
      ],
      ...[
        ['iphone', 'phone'],
        ['android', 'phone'],
        ['own-name', 'honest'],
      ],
    ]);
  });

  it('have client hints that follow from the agent of a Chrome, and none elsewhere', () => {
    expect(named('chrome').navigation).toMatchObject({
      'sec-ch-ua': expect.stringContaining('"Chromium";v="151"'),
      'sec-ch-ua-mobile': '?0',
      'sec-ch-ua-platform': '"Windows"',
    });
    expect(named('older-chrome').navigation['sec-ch-ua']).toContain('v="138"');
    expect(named('android').script).toMatchObject({
      'sec-ch-ua-mobile': '?1',
      'sec-ch-ua-platform': '"Android"',
    });
    for (const name of ['firefox', 'iphone', 'own-name'])
      for (const set of [named(name).navigation, named(name).script])
        expect(Object.keys(set).filter((header) => header.startsWith('sec-ch'))).toEqual([]);
  });

  it('have the order of their client', () => {
    expect(Object.keys(named('chrome').navigation).slice(0, 5)).toEqual([
      ...['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform', 'upgrade-insecure-requests', 'user-agent'],
    ]);
    expect(Object.keys(named('firefox').navigation)[0]).toBe('user-agent');
    expect(Object.keys(named('iphone').navigation)[0]).toBe('accept');
  });

  it('ask for the page at the address of their kind', () => {
    expect(named('chrome').pageOf('7')).toBe('https://www.tiktok.com/@i/video/7');
    expect(named('iphone').pageOf('7')).toBe('https://m.tiktok.com/v/7.html');
  });

  it('say under the own name nothing that a browser says', () => {
    const { userAgent, navigation, http } = named('own-name');
    expect(userAgent).toBe(own);
    expect(http).toEqual(['1.1']);
    expect(Object.keys(navigation).filter((header) => /^sec-|^upgrade|^priority/.test(header))).toEqual([]);
  });

  test.each([
    ['two browsers at once', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/151.0.0.0 Firefox/145.0'],
    ['no browser that is known', 'Mozilla/5.0 (compatible; Thing/1.0)'],
    [
      'a browser of another company',
      'Mozilla/5.0 (Windows NT 10.0) Chrome/151.0.0.0 Safari/537.36 Edg/151.0.0.0',
    ],
    ['a Chrome without a system', 'Mozilla/5.0 (Thing) Chrome/151.0.0.0 Safari/537.36'],
    ['a phone that is not mobile', 'Mozilla/5.0 (Linux; Android 10; K) Chrome/151.0.0.0 Safari/537.36'],
    ['a mobile desktop', 'Mozilla/5.0 (Windows NT 10.0) Chrome/151.0.0.0 Mobile Safari/537.36'],
    ['a line break', 'Thing/1.0\nx: y'],
    ['nothing', ''],
  ])('do not exist with %s', (_, agent) => {
    expect(() => makeIdentities([agent], own)).toThrow(IdentityError);
  });

  it('do not exist when the own name claims to be a browser', () => {
    expect(() => makeIdentities(undefined, usualUserAgents[0] ?? '')).toThrow(IdentityError);
  });

  it("have the operator's list in place of the usual browsers, each once", () => {
    const [chrome = ''] = usualUserAgents;
    expect(makeIdentities([chrome, chrome, 'Thing/1'], own).map(({ name }) => name)).toEqual([
      ...['operator-2', 'operator-3', 'iphone', 'android', 'own-name'],
    ]);
    expect(makeIdentity('a', 'Thing/1').kind).toBe('honest');
  });
});
