import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { id, outcome, postPath, shortCode } from './testing/links-fixture.ts';

/** Permitted results for a text that once named this post. */
function expectSameOrRefused(text: string, expected: { id: string } | { code: string }): void {
  const result = outcome(text);
  if (typeof result !== 'string')
    expect({ text, ...result }).toEqual({ text, platform: 'tiktok', ...expected });
}

describe('changed addresses', () => {
  it('never throws anything but a failure', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => void outcome(text)));
    const pieces = fc.constantFrom(
      'https://',
      'www.tiktok.com',
      'vm.',
      '/@a/video/',
      '7301234567890123456',
      '%',
      '\\',
      '@',
      ':',
      '?',
      '#',
      ' ',
      '..',
      '\u200b',
      '。',
      '[',
      ']',
      '\ud800',
    );
    fc.assert(fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => void outcome(parts.join(''))));
  });

  it('finds a post inside any prose', () => {
    const prose = fc.array(fc.constantFrom('look', 'これ', '看看', '#fyp', '🔥', '1/2', 'e.g.', '(', '...'), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        prose,
        postPath,
        prose,
        fc.constantFrom('', '?_r=1&_t=ZS-x', '#a', '/', '.', ')', '!', '&a=b', '%20', '%3Fa%3Db'),
        (before, post, after, tail) => {
          const text = [...before, `https://www.tiktok.com/${post.path}${tail}`, ...after].join(' ');
          expect(outcome(text)).toEqual({ platform: 'tiktok', id: post.id });
        },
      ),
    );
  });

  it('accepts any case of host and scheme and no other host', () => {
    fc.assert(
      fc.property(
        postPath,
        fc.stringMatching(/^[a-z0-9.-]{0,12}$/),
        fc.stringMatching(/^[a-z0-9.-]{0,12}$/),
        (post, before, after) => {
          const host = `${before}tiktok.com${after}`;
          const result = outcome(`https://${host}/${post.path}`);
          const known = /^((www|lite|m|t|vm|vt|pro|[a-z]{1,2})\.)?tiktok\.com$/.test(host);
          expect(result).toEqual(
            known ? { platform: 'tiktok', id: post.id } : expect.stringMatching(/^link_/),
          );
        },
      ),
    );
  });

  it('returns the same post or refuses it for changed scheme, user-info, port and separators', () => {
    const scheme = fc.oneof(
      fc.constantFrom(
        'https://',
        'http://',
        '//',
        '',
        'HTTPS://',
        'https:/',
        'https:\\\\',
        'javascript:',
        'ftp://',
        'https:///',
      ),
      fc.string({ maxLength: 8 }),
    );
    const userInfo = fc.oneof(
      fc.constant(''),
      fc.string({ maxLength: 12 }).map((text) => `${text}@`),
    );
    const port = fc.oneof(
      fc.constant(''),
      fc.string({ maxLength: 6 }).map((text) => `:${text}`),
    );
    fc.assert(
      fc.property(scheme, userInfo, port, postPath, (start, user, portText, post) => {
        expectSameOrRefused(`${start}${user}www.tiktok.com${portText}/${post.path}`, { id: post.id });
      }),
    );
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z.]{1,10}$/),
        fc.integer({ min: 0, max: 65_535 }).filter((port) => port !== 443),
        postPath,
        (user, portNumber, post) => {
          expect(outcome(`https://${user}@www.tiktok.com/${post.path}`)).toBe('link_invalid');
          expect(outcome(`https://www.tiktok.com:${portNumber}/${post.path}`)).toBe('link_invalid');
          expect(outcome(`https://www.tiktok.com@${user}.example/${post.path}`)).toBe('link_invalid');
        },
      ),
    );
  });

  const damagedScheme = fc
    .tuple(
      fc.constantFrom(
        'http',
        'https',
        'ttps',
        'htps',
        'hhttps',
        'httpss',
        'hptts',
        'httos',
        'HTTPS',
        'https://https',
      ),
      fc.constantFrom(':', ';', '', '.', '::', ' :', '\uFF1A', '%3A', '&colon;'),
      fc.constantFrom(
        '//',
        '/',
        '///',
        '\\\\',
        ' //',
        '/ /',
        '\\/\\/',
        '\uFF0F\uFF0F',
        '%2F%2F',
        '&#x2F;&#47;',
      ),
    )
    .map((parts) => parts.join(''));

  it('reads a post behind any damaged scheme', () => {
    fc.assert(
      fc.property(damagedScheme, fc.constantFrom('', ' ', 'link: '), postPath, (scheme, space, post) => {
        expect(
          outcome(`${space}${scheme}${space.trim() === '' ? space : ''}www.tiktok.com/${post.path}`),
        ).toEqual({
          platform: 'tiktok',
          id: post.id,
        });
      }),
    );
  });

  it('never reads a post of another site, however its address is damaged', () => {
    const otherHost = fc.constantFrom(
      'evil.example',
      'www.tiktok.com.evil.example',
      'www.tiktok.com\uFF0Eevil.example',
      'www.tiktok.com&period;evil.example',
      'eviltiktok.com',
      'www.tiktok.com@evil.example',
      'www.tiktok.com\uFF20evil.example',
      'www.tiktok.com&#64;evil.example',
      'www.tiktok.com:443@evil.example',
      't:www.tiktok.com@evil.example',
      'www.tiktok.com:80',
    );
    const mark = fc.constantFrom(
      '',
      '" data-video-id="7301234567890123456',
      '?u=data-video-id=7301234567890123456',
    );
    fc.assert(
      fc.property(damagedScheme, otherHost, postPath, mark, (scheme, host, post, tail) => {
        // A single slash also occurs in "and/or": it does not start another site's address.
        fc.pre(tail === '' || !/^[a-z]+\.?\/$/i.test(scheme));
        expect(outcome(`${scheme}${host}/${post.path}${tail}`), `${scheme}${host}`).toMatch(/^link_/);
      }),
      { numRuns: 1_000 },
    );
  });

  it("returns the same post or refuses it when one character is replaced by another script's or percent-encoded", () => {
    const disguises: ((character: string) => string)[] = [
      (character) => String.fromCodePoint(character.charCodeAt(0) + 0xfee0),
      (character) => `%${character.charCodeAt(0).toString(16)}`,
      (character) => `%25${character.charCodeAt(0).toString(16)}`,
      (character) => `${character}\u0301`,
      (character) => `${character}\u200d`,
      () => 'е',
      () => '۷',
      () => '𝟕',
      () => '①',
      () => 'ト',
    ];
    const link = fc.oneof(
      postPath.map((post) => ({
        address: `https://www.tiktok.com/${post.path}`,
        expected: { id: post.id } as { id: string } | { code: string },
      })),
      shortCode.map((value) => ({ address: `https://vm.tiktok.com/${value}`, expected: { code: value } })),
    );
    fc.assert(
      fc.property(link, fc.nat(), fc.constantFrom(...disguises), ({ address, expected }, at, disguise) => {
        // After the scheme: a broken scheme leaves the same host and path.
        const index = 8 + (at % (address.length - 8));
        const text = address.slice(0, index) + disguise(address.charAt(index)) + address.slice(index + 1);
        expectSameOrRefused(text, expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads an address that was encoded as a whole like the plain one, hostile or not', () => {
    const hostile = fc.constantFrom(
      '',
      'user@',
      'evil.example/',
      'evil.example\\',
      '..',
      '../',
      '%2e%2e/',
      ':80',
      '.',
    );
    fc.assert(
      fc.property(hostile, hostile, postPath, (before, after, post) => {
        const address = `https://${before}www.tiktok.com${after}/${post.path}`;
        const plain = outcome(address);
        const encoded = outcome(encodeURIComponent(address));
        // A partly doubly encoded address may be refused when the plain one is read; never the reverse.
        if (typeof plain === 'string') expect(encoded).toMatch(/^link_/);
        else expect(encoded).toEqual(plain);
      }),
    );
  });

  it('takes an id from a parameter only where the platform writes one, and only from its own addresses', () => {
    const inside = fc.constantFrom(
      'https://evil.example/@a/video/',
      'https://www.tiktok.com.evil.example/@a/video/',
      'https://www.tiktok.com@evil.example/@a/video/',
      'javascript:alert(',
      'http://169.254.169.254/',
      '//evil.example/aweme/detail/',
    );
    fc.assert(
      fc.property(
        inside,
        id,
        fc.constantFrom('login', 'redirect', 'link/v2', 'foryou'),
        (start, postId, path) => {
          const value = encodeURIComponent(`${start}${postId}`);
          for (const name of ['redirect_url', 'target', 'item_id', 'shareId'])
            expect(outcome(`https://www.tiktok.com/${path}?${name}=${value}`)).toMatch(/^link_/);
        },
      ),
    );
  });

  it('refuses dot segments wherever they stand', () => {
    fc.assert(
      fc.property(
        postPath,
        fc.nat(),
        fc.constantFrom('.', '..', '%2e%2e', '%2E.', '..%2f'),
        (post, at, dots) => {
          const segments = post.path.split('/');
          segments.splice(at % (segments.length + 1), 0, dots);
          expect(outcome(`https://www.tiktok.com/${segments.join('/')}`)).toMatch(/^link_/);
        },
      ),
    );
  });

  it('does not take part of an id or code at the edge of the text it searches', () => {
    const address = 'https://www.tiktok.com/@a/video/7301234567890123456';
    for (let room = 0; room <= address.length; room++) {
      const text = `${'x'.repeat(4_000 - room - 1)} ${address}`;
      expectSameOrRefused(text, { id: '7301234567890123456' });
    }
    const query = `${address}?${'q'.repeat(10_000)}`;
    expect(outcome(query)).toEqual({ platform: 'tiktok', id: '7301234567890123456' });
  });
});
