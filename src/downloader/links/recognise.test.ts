import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Failure } from '../../failures/failures.ts';
import type { PostReference, ShortLink } from '../post/post.ts';
import cases from './cases.json' with { type: 'json' };
import * as links from './recognise.ts';
import { id, outcome, shortCode, tables } from './testing/links-fixture.ts';

const recogniseLink = (text: string) => links.recogniseLink(text, tables);
const recogniseLinks = (text: string) => links.recogniseLinks(text, tables);
const addressOf = (link: PostReference | ShortLink) => links.addressOf(link, tables);
const isPostReference = (value: unknown) => links.isPostReference(value, tables);

describe('the known forms', () => {
  test.each(Object.entries(cases.posts))('%s is a post', (text, id) => {
    expect(outcome(text)).toEqual({ platform: 'tiktok', id });
  });
  test.each(Object.entries(cases.codes))('%s is a short link', (text, code) => {
    expect(outcome(text)).toEqual({ platform: 'tiktok', code });
  });
  test.each(Object.entries(cases.lists))('%s is a list', (text, list) => {
    const found = links.recogniseList(text, tables);
    expect(found === null ? null : `${found.kind} ${found.name}`).toBe(list);
  });
  test.each(Object.entries(cases.failures))('refuses %s', (text, key) => {
    expect(outcome(text)).toBe(key);
  });
});

describe('the sentence that explains a refusal', () => {
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
    [`${one} ${two} ${code}`, { ...reference('7309999999999999999'), handle: 'b' }],
    [`https://www.tiktok.com/@c ${one}\n${same} ${code}`, { platform: 'tiktok', code: 'ZS4VE7DHe' }],
    [`${one}${two}`, { ...reference('7309999999999999999'), handle: 'b' }],
  ])('%s', (text, other) => {
    expect(recogniseLinks(text)).toEqual({
      link: { ...reference('7301234567890123456'), handle: 'a' },
      other,
    });
  });

  it('builds an address from nothing but its id or code', () => {
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

describe('isPostReference', () => {
  it('accepts what recogniseLink returns and nothing else', () => {
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
  it('finds every post once, in order, whatever text separates the links', () => {
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
        const found = links
          .recogniseAll(text, tables, 20)
          .map((one) => recogniseLink(links.addressOf(one, tables)));
        expect(found.map((one) => JSON.stringify(one))).toEqual([...expected]);
      }),
    );
  });

  test.each([
    ['https://www.tiktok.com/@bars.and_tones/video/7301234567890123456?lang=de', 'bars.and_tones'],
    ['tiktok.com/@bars/photo/7301234567890123456', 'bars'],
    ['https://www.tiktok.com/de/%40bars/video/7301234567890123456', 'bars'],
    ['https://www.tiktok.com/@/video/7301234567890123456', ''],
    ['https://m.tiktok.com/v/7301234567890123456.html', ''],
    // Nothing that an address would have to escape.
    ['https://www.tiktok.com/@f%C3%A4hre/video/7301234567890123456', ''],
    [`https://www.tiktok.com/@${'x'.repeat(65)}/video/7301234567890123456`, ''],
  ])('shows %s with the name in it, and reads the post without', (text, handle) => {
    const [link] = links.recogniseAll(text, tables, 1);
    if (link === undefined) throw new Error('no link');
    expect(links.addressOf(link, tables)).toBe(`https://www.tiktok.com/@${handle}/video/7301234567890123456`);
    expect(recogniseLink(text)).toEqual({ platform: 'tiktok', id: '7301234567890123456' });
  });

  it('reads the code of an embedded post, and a share text with an advertisement, as one post', () => {
    const embed =
      '<blockquote cite="https://www.tiktok.com/@a/video/7301234567890123456" data-video-id="7301234567890123456"> <a href="https://www.tiktok.com/@a?refer=embed">@a</a> <a href="https://www.tiktok.com/tag/x">#x</a> <a href="https://www.tiktok.com/music/m-7301234567890123499">m</a></blockquote> <script async src="https://www.tiktok.com/embed.js"></script>';
    const shared =
      'https://vm.tiktok.com/ZS4VE7DHe/ This post is shared via TikTok Lite. Download TikTok Lite: https://www.tiktok.com/tiktoklite';
    for (const text of [embed, shared]) expect(links.recogniseAll(text, tables, 20)).toHaveLength(1);
  });

  it('stops at the given number, and at the edge of the text it searches', () => {
    const text = Array.from({ length: 30 }, (_, n) => `https://vm.tiktok.com/ZS4VE${100 + n}/`).join(' ');
    expect(links.recogniseAll(text, tables, 21)).toHaveLength(21);
    expect(links.recogniseAll(`${'x '.repeat(5_000)}${text}`, tables, 21)).toEqual([]);
  });
});
