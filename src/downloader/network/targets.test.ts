import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressRefused, checkTarget, redirectTarget } from './targets.ts';
import { testLists } from './testing/origin.ts';

/** Lists that allow every host, so that only the grammar rejects. */
const open = { page: [/./], 'x/short-link': [/./], media: [/./] };

const accepted = (url: string, lists = testLists) => {
  try {
    return checkTarget(url, 'x/media', lists);
  } catch (error) {
    if (error instanceof AddressRefused) return null;
    throw error;
  }
};

const piece = fc.constantFrom(
  ...[
    'https://',
    'http://',
    '//',
    '\\',
    '@',
    ':',
    '443',
    ':443',
    ':80',
    '?',
    '#',
    '/',
    '%2e',
    '%40',
    '\t',
    '\n',
    ' ',
  ],
  ...[
    'v16.platform.test',
    'V16.PLATFORM.TEST',
    'evil.test',
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '0177.1',
    '[::1]',
  ],
  ...['①', '。', '..', '.', 'user:pw', '\0', 'localhost'],
);
const hostile = fc
  .array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 8 })
  .map((parts) => parts.join(''));

describe('checkTarget', () => {
  it('agrees with the URL parser about every address it accepts, and accepts only listed https hosts', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          hostile,
          hostile.map((rest) => `https://v16.platform.test${rest}`),
        ),
        (text) => {
          const target = accepted(text);
          if (target === null) return;
          const url = new URL(text);
          expect(url.protocol).toBe('https:');
          expect(url.port).toBe('');
          expect(url.username + url.password).toBe('');
          expect(url.hostname).toBe(target.host);
          expect(target.host).toMatch(/^v\d+\.platform(?:-cdn)?\.test$/);
          expect(target.path.startsWith('/')).toBe(true);
        },
      ),
      { numRuns: 5000 },
    );
  });

  it('never accepts an IP address as a host, whatever the lists say', () => {
    fc.assert(
      fc.property(hostile, (rest) => {
        const target = accepted(`https://${rest}`, open);
        if (target === null) return;
        expect(isIP(new URL(`https://${target.host}`).hostname.replace(/^\[|\]$/g, ''))).toBe(0);
      }),
      { numRuns: 5000 },
    );
    for (const host of [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '1.0x7f',
      'localhost',
    ]) {
      expect(accepted(`https://${host}/`, open)).toBeNull();
    }
  });

  it('keeps path and query exactly', () => {
    const path = '/video/tos/a%2Fb/?a=1988&bti=O\'D==&&bt=1&q=|{}^`"<>&x=%zz';
    expect(accepted(`https://v16.platform.test${path}#fragment`)).toEqual({
      host: 'v16.platform.test',
      origin: 'https://v16.platform.test',
      path,
    });
    expect(accepted('https://v16.platform.test?a=1')?.path).toBe('/?a=1');
    expect(accepted('https://V16.Platform.test:443')?.path).toBe('/');
  });

  it('keeps the lists of the classes separate', () => {
    expect(() => checkTarget('https://www.platform.test/', 'x/media', testLists)).toThrow(AddressRefused);
    expect(checkTarget('https://www.platform.test/', 'x/page', testLists).host).toBe('www.platform.test');
  });
});

describe('redirectTarget', () => {
  it('leaves an absolute address alone and completes a relative one', () => {
    const signed = 'https://v19.platform.test/a?x=1&&y=2';
    expect(redirectTarget(signed, 'https://v16.platform.test/')).toBe(signed);
    expect(redirectTarget('../b?c', 'https://v16.platform.test/x/y')).toBe('https://v16.platform.test/b?c');
    expect(() => redirectTarget('https://[', 'https://v16.platform.test/')).toThrow(AddressRefused);
  });
});
