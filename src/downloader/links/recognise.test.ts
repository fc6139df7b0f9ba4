import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { growthOf } from '../../../tests/support/growth.ts';
import { Failure, type FailureKey } from '../../failures/failures.ts';
import type { PostReference, ShortLink } from '../posts/post.ts';
import cases from './cases.json' with { type: 'json' };
import * as links from './recognise.ts';
import { tiktokLinks } from './tiktok.ts';

const tables = [tiktokLinks];
const recogniseLink = (text: string) => links.recogniseLink(text, tables);
const recogniseLinks = (text: string) => links.recogniseLinks(text, tables);
const addressOf = (link: PostReference | ShortLink) => links.addressOf(link, tables);
const isPostReference = (value: unknown) => links.isPostReference(value, tables);

function outcome(text: string): PostReference | ShortLink | FailureKey {
  try {
    return recogniseLink(text);
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.key;
    throw thrown;
  }
}

describe('the known forms', () => {
  test.each(Object.entries(cases.posts))('%s is a post', (text, id) => {
    expect(outcome(text)).toEqual({ platform: 'tiktok', id });
  });
  test.each(Object.entries(cases.codes))('%s is a short link', (text, code) => {
    expect(outcome(text)).toEqual({ platform: 'tiktok', code });
  });
  test.each(Object.entries(cases.failures))('%s is refused', (text, key) => {
    expect(outcome(text)).toBe(key);
  });
});

const id = fc.bigInt({ min: 10n ** 14n, max: 2n ** 64n - 1n }).map(String);
const shortCode = fc.stringMatching(/^[A-Za-z0-9_-]{5,32}$/);
const handle = fc.stringMatching(/^[A-Za-z0-9_.-]{0,24}$/);
const postForms = [
  '@H/video/ID',
  '@H/photo/ID',
  '@H/story/ID',
  '@H/Video/ID/comments',
  'de/@H/video/ID',
  'video/ID',
  'v/ID.html',
  'embed/v2/ID',
  'player/v1/ID',
  'share/video/ID',
];
const postPath = fc
  .tuple(fc.constantFrom(...postForms), handle, id)
  .map(([form, name, postId]) => ({ path: form.replace('ID', postId).replace('H', name), id: postId }));

describe('the sentence that is said beside a refusal', () => {
  const hintOf = (text: string) => {
    try {
      return recogniseLink(text);
    } catch (thrown) {
      return (thrown as Failure).hint;
    }
  };
  test.each([
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'other_site'],
    ['https://www.instagram.com/reel/Cabc/', 'other_site'],
    ['https://eviltiktok.com/@a/video/7301234567890123456', 'other_site'],
    ['https://www.tiktok.com/', 'no_post'],
    ['https://www.tiktok.com/@a/video/12', 'no_post'],
    ['https://www.tiktok.com/tag/cats', undefined],
    ['https://user@www.tiktok.com/@a/video/7301234567890123456', undefined],
    ['hello', undefined],
  ])('%s: %s', (text, hint) => expect(hintOf(text)).toBe(hint));
});

describe('a second post in the text', () => {
  const one = 'https://www.tiktok.com/@a/video/7301234567890123456';
  const same = 'https://www.tiktok.com/embed/v2/7301234567890123456';
  const two = 'https://www.tiktok.com/@b/photo/7309999999999999999?lang=en';
  const code = 'https://vm.tiktok.com/ZS4VE7DHe/';
  const reference = (id: string) => ({ platform: 'tiktok', id });

  test.each([
    [one, null],
    [`${one} ${one}${one} ${same}`, null],
    [`${one} https://www.tiktok.com/@c https://www.youtube.com/watch?v=1`, null],
    [`${one} ${two} ${code}`, reference('7309999999999999999')],
    [`https://www.tiktok.com/@c ${one}\n${same} ${code}`, { platform: 'tiktok', code: 'ZS4VE7DHe' }],
    [`${one}${two}`, reference('7309999999999999999')],
  ])('%s', (text, other) => {
    expect(recogniseLinks(text)).toEqual({ link: reference('7301234567890123456'), other });
  });

  it('has an address made of nothing but its id or code', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          id.map(reference),
          shortCode.map((value) => ({ platform: 'tiktok', code: value })),
        ),
        (link) => {
          expect(recogniseLink(addressOf(link as PostReference | ShortLink))).toEqual(link);
        },
      ),
    );
  });
});

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

  it('gives the same post or a refusal for changed scheme, user-info, port and separators', () => {
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

  it('gives the same post or a refusal when one character becomes one of another script or is percent-encoded', () => {
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

  it('reads an address that was encoded as a whole as it reads it plain, hostile or not', () => {
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

  it('takes an id from a parameter only where the platform puts one, and only from its own addresses', () => {
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

  it('does not take a part of an id or code at the edge of what it looks at', () => {
    const address = 'https://www.tiktok.com/@a/video/7301234567890123456';
    for (let room = 0; room <= address.length; room++) {
      const text = `${'x'.repeat(4_000 - room - 1)} ${address}`;
      expectSameOrRefused(text, { id: '7301234567890123456' });
    }
    const query = `${address}?${'q'.repeat(10_000)}`;
    expect(outcome(query)).toEqual({ platform: 'tiktok', id: '7301234567890123456' });
  });

  it('takes linear time on hostile input', () => {
    const hostile = [
      'https://',
      '.',
      ',',
      '/',
      '@',
      'a.',
      '//',
      '%2e',
      'https://www.tiktok.com/',
      '\u200b',
      'vm.tiktok.com/',
      'https:',
      'h',
      'a:',
      '&#47;',
      '\\/',
      ' / ',
      ' ',
      'https%3A',
      'data-video-id=',
    ];
    for (const piece of hostile) {
      const growth = growthOf((scale) => {
        const text = piece.repeat((5_000 * scale) / piece.length);
        return () => outcome(text);
      });
      expect(growth, piece).toBeLessThan(6);
    }
  });
});

describe('isPostReference', () => {
  it('accepts what recogniseLink gives and nothing else', () => {
    expect(isPostReference(recogniseLink('https://www.tiktok.com/@a/video/7301234567890123456'))).toBe(true);
    expect(isPostReference(recogniseLink('https://vm.tiktok.com/ZS4VE7DHe/'))).toBe(false);
    for (const value of [
      null,
      1,
      'x',
      {},
      { platform: 'other', id: '7301234567890123456' },
      { platform: 'tiktok', id: 7301234567890 },
      { platform: 'tiktok', id: '../../etc' },
    ]) {
      expect(isPostReference(value)).toBe(false);
    }
  });
});

describe('recogniseAll', () => {
  it('finds every post once, in order, whatever stands between the links', () => {
    const forms = [
      (n: number) => `https://www.tiktok.com/@a/video/${7301234567890123000n + BigInt(n)}?lang=de`,
      (n: number) => `tiktok.com/@a.b/photo/${7301234567890123000n + BigInt(n)}`,
      (n: number) => `https://vm.tiktok.com/ZS4VE7${100 + n}/`,
    ];
    const between = fc.constantFrom(
      ' ',
      '\n',
      ', ',
      '  \u2028',
      ' and https://www.tiktok.com/@a ',
      ' "',
      ' e.g. ',
    );
    const posts = fc.array(fc.tuple(fc.constantFrom(...forms.keys()), fc.nat(99), between), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(posts, (given) => {
        const text = given.map(([form, n, gap]) => `${forms[form]?.(n)}${gap}`).join('');
        const expected = new Set(
          given.map(([form, n]) => JSON.stringify(recogniseLink(forms[form]?.(n) ?? ''))),
        );
        expect(links.recogniseAll(text, tables, 20).map((one) => JSON.stringify(one))).toEqual([...expected]);
      }),
    );
  });

  it('reads the code of an embedded post, and a share text with an advertisement, as one', () => {
    const embed =
      '<blockquote cite="https://www.tiktok.com/@a/video/7301234567890123456" data-video-id="7301234567890123456"> <a href="https://www.tiktok.com/@a?refer=embed">@a</a> <a href="https://www.tiktok.com/tag/x">#x</a> <a href="https://www.tiktok.com/music/m-7301234567890123499">m</a></blockquote> <script async src="https://www.tiktok.com/embed.js"></script>';
    const shared =
      'https://vm.tiktok.com/ZS4VE7DHe/ This post is shared via TikTok Lite. Download TikTok Lite: https://www.tiktok.com/tiktoklite';
    for (const text of [embed, shared]) expect(links.recogniseAll(text, tables, 20)).toHaveLength(1);
  });

  it('stops at the given number, and at the edge of what it looks at', () => {
    const text = Array.from({ length: 30 }, (_, n) => `https://vm.tiktok.com/ZS4VE${100 + n}/`).join(' ');
    expect(links.recogniseAll(text, tables, 21)).toHaveLength(21);
    expect(links.recogniseAll(`${'x '.repeat(5_000)}${text}`, tables, 21)).toEqual([]);
  });
});
