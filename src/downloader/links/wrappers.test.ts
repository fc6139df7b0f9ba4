import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asFailure } from '../../failures/failures.ts';
import { recogniseLink } from './recognise.ts';
import { linkTables as tables } from './tables.ts';

const id = '7400000000000000001';
const post = `https://www.tiktok.com/@some.one/video/${id}`;
const code = 'https://vm.tiktok.com/ZMvideo01/';
const encoded = encodeURIComponent;

function outcome(text: string) {
  try {
    return recogniseLink(text, tables);
  } catch (thrown) {
    const { key, hint } = asFailure(thrown);
    return hint === undefined ? key : `${key} ${hint}`;
  }
}

describe('a link that another one holds', () => {
  it.each([
    `https://l.facebook.com/l.php?u=${encoded(`${post}?fbclid=IwZX`)}&h=AT0abc`,
    `https://lm.facebook.com/l.php?h=AT0&u=${encoded(encoded(post))}`,
    `https://www.google.com/url?q=${post}&sa=D&source=calendar`,
    `https://nam02.safelinks.protection.outlook.com/?url=${encoded(post)}&data=05%7C01`,
    `https://vk.com/away.php?to=${encoded(post)}`,
    `https://t.umblr.com/redirect?z=${encoded(post)}&t=x`,
    `https://slack-redir.net/link?url=${encoded(post)}`,
    `https://l.facebook.com/l.php?u=${encoded(`https://www.google.com/url?q=${encoded(post)}`)}`,
    `https://www.tiktok.com/link/v2?aid=1988&lang=en&scene=bio_url&target=${encoded(post)}`,
    `https://www.tiktok.com/login?redirect_url=${encoded(post)}`,
    `https://tiktok.onelink.me/bIdt/x?af_dp=${encoded(`snssdk1233://aweme/detail/${id}`)}&af_web_dp=x`,
    `snssdk1233://aweme/detail/${id}`,
    `snssdk1180://aweme/detail/${id}?refer=web`,
    `snssdk1233://aweme/detail/?aweme_id=${id}`,
    `tiktok://aweme/detail/${id}`,
    `intent://www.tiktok.com/@some.one/video/${id}#Intent;package=com.zhiliaoapp.musically;scheme=https;end`,
    `intent://aweme/detail/${id}#Intent;scheme=snssdk1233;package=x;end`,
    `intent://x.example/#Intent;scheme=https;S.browser_fallback_url=${encoded(post)};end`,
    `Look: snssdk1233://aweme/detail/${id} !`,
  ])('%s', (text) => expect(outcome(text)).toEqual({ platform: 'tiktok', id }));

  it.each([
    `https://lm.facebook.com/l.php?u=${encoded(code)}&h=AT0`,
    `https://l.instagram.com/?u=${encoded(code)}&e=AT0`,
    `https://www.youtube.com/redirect?event=comments&q=${encoded(code)}`,
  ])('may be a code: %s', (text) => expect(outcome(text)).toEqual({ platform: 'tiktok', code: 'ZMvideo01' }));

  it.each([
    [
      `https://l.facebook.com/l.php?u=${encoded('https://www.youtube.com/watch?v=1')}`,
      'link_invalid other_site',
    ],
    ['https://bit.ly/3abcdef', 'link_invalid short_link'],
    ['https://t.co/abcdef', 'link_invalid short_link'],
    [`snssdk1128://aweme/detail/${id}`, 'link_douyin'],
    [`https://evil.example/https://www.tiktok.com/@a/video/${id}`, 'link_invalid other_site'],
  ])('is none in %s', (text, expected) => expect(outcome(text)).toEqual(expected));

  it('is never read from a host that only looks like the platform’s, however it is wrapped', () => {
    const host = fc.constantFrom(
      ...['www.tiktok.com.evil.example', 'eviltiktok.com', 'www.tiktok.com@evil.example', 'tiktok.com:80'],
      ...['evil.example/www.tiktok.com', 'www.tiktok.com\\evil.example', 'user@www.tiktok.com', '127.0.0.1'],
    );
    const wrapped = (text: string, times: number) =>
      Array.from({ length: times }).reduce<string>((inner) => encoded(inner), text);
    const wrapper = fc.constantFrom(
      ...[
        'https://l.facebook.com/l.php?u=',
        'https://www.tiktok.com/link/v2?target=',
        'https://x.example/?a=1&b=',
      ],
      ...['intent://x.example/#Intent;S.browser_fallback_url=', 'https://www.tiktok.com/login?redirect_url='],
    );
    fc.assert(
      fc.property(wrapper, wrapper, host, fc.nat(3), fc.nat(2), (outer, inner, name, times, again) => {
        const text = outer + wrapped(inner + wrapped(`https://${name}/@a/video/${id}`, times), again);
        expect(outcome(text), text).toEqual(expect.stringMatching(/^link_/));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is looked for in a bounded number of parameters and wrappers', () => {
    const deep = Array.from({ length: 5 }).reduce<string>(
      (inner) => `https://x.example/?u=${encoded(inner)}`,
      post,
    );
    expect(outcome(deep)).toBe('link_invalid other_site');
    expect(outcome(`https://x.example/?${'a=1&'.repeat(80)}u=${encoded(post)}`)).toBe(
      'link_invalid other_site',
    );
  });
});
