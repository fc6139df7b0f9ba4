import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type NetworkId, networkOf, networks } from './networks.ts';
import { type SharedPage, type ShareMarks, shareLink, templateProblem } from './share-link.ts';

const page: SharedPage = {
  url: 'https://clipferry.example/de/tiktok-downloader',
  title: 'TikTok & „Freunde“ + 100 %',
  description: 'Videos speichern; ohne Anmeldung?',
  media: 'https://clipferry.example/icon-512.png',
};
const noMarks: ShareMarks = { hashtags: [], twitterUser: '' };
const marks: ShareMarks = { hashtags: ['clips', 'видео'], twitterUser: 'clipferry' };

const linkTo = (id: NetworkId, given: ShareMarks = noMarks, of: SharedPage = page) =>
  shareLink(networks[id].link, of, given);
const paramsOf = (link: string) => Object.fromEntries(new URL(link).searchParams);
const both = `${page.title} ${page.url}`;

const expected: readonly [NetworkId, string, Record<string, string>][] = [
  ['facebook', 'https://www.facebook.com/sharer/sharer.php', { u: page.url, quote: page.description }],
  ['x', 'https://x.com/intent/post', { text: page.title, url: page.url }],
  [
    'pinterest',
    'https://www.pinterest.com/pin/create/button/',
    { url: page.url, media: page.media, description: page.title },
  ],
  ['reddit', 'https://www.reddit.com/submit', { url: page.url, title: page.title }],
  ['quora', 'https://www.quora.com/share', { url: page.url, title: page.title }],
  ['whatsapp', 'https://wa.me/', { text: both }],
  ['telegram', 'https://t.me/share/url', { url: page.url, text: page.title }],
  ['viber', 'viber://forward', { text: both }],
  ['line', 'https://social-plugins.line.me/lineit/share', { url: page.url, text: page.title }],
  ['vk', 'https://vk.com/share.php', { url: page.url, title: page.title, image: page.media }],
  [
    'ok',
    'https://connect.ok.ru/offer',
    { url: page.url, title: page.title, description: page.description, imageUrl: page.media },
  ],
  ['linkedin', 'https://www.linkedin.com/sharing/share-offsite/', { url: page.url }],
  ['xing', 'https://www.xing.com/spi/shares/new', { url: page.url }],
  [
    'tumblr',
    'https://www.tumblr.com/widgets/share/tool',
    { canonicalUrl: page.url, title: page.title, caption: page.description },
  ],
  ['threads', 'https://www.threads.net/intent/post', { text: both }],
  ['bluesky', 'https://bsky.app/intent/compose', { text: both }],
  ['hatena', 'https://b.hatena.ne.jp/add', { mode: 'confirm', url: page.url, title: page.title }],
  ['naver', 'https://share.naver.com/web/shareView', { url: page.url, title: page.title }],
  ['band', 'https://band.us/plugin/share', { body: both, route: page.url }],
  [
    'weibo',
    'https://service.weibo.com/share/share.php',
    { url: page.url, title: page.title, pic: page.media },
  ],
  [
    'qzone',
    'https://sns.qzone.qq.com/cgi-bin/qzshare/cgi_qzshare_onekey',
    { url: page.url, title: page.title, summary: page.description, pics: page.media },
  ],
  ['email', 'mailto:', { subject: page.title, body: `${page.description}\r\n\r\n${page.url}` }],
  ['sms', 'sms:', { body: both }],
];

test.each(expected)('%s receives the parameters that it accepts', (id, base, parameters) => {
  const link = linkTo(id);
  expect(link.slice(0, link.indexOf('?'))).toBe(base);
  expect(paramsOf(link)).toEqual(parameters);
});

test('every network has its case', () => {
  expect(expected.map(([id]) => id).toSorted()).toEqual(Object.keys(networks).toSorted());
});

test('passes hashtags and the account to networks that accept them', () => {
  expect(paramsOf(linkTo('x', marks))).toMatchObject({ hashtags: 'clips,видео', via: 'clipferry' });
  expect(paramsOf(linkTo('facebook', marks))).toMatchObject({ hashtag: '#clips' });
  expect(paramsOf(linkTo('tumblr', marks))).toMatchObject({ tags: 'clips,видео' });
});

test('leaves out what nobody knows', () => {
  const bare = { ...page, title: '', description: '', media: '' };
  expect(paramsOf(linkTo('pinterest', noMarks, bare))).toEqual({ url: page.url });
  expect(paramsOf(linkTo('whatsapp', noMarks, bare))).toEqual({ text: page.url });
  expect(paramsOf(linkTo('email', noMarks, bare))).toEqual({ body: page.url });
});

test('encodes spaces for mail, and uses the form in which an iPhone finds the text of a message', () => {
  expect(linkTo('email')).toMatch(/^mailto:\?subject=TikTok%20%26%20/);
  expect(linkTo('email')).not.toContain('+');
  expect(linkTo('sms')).toMatch(/^sms:\?&body=TikTok%20/);
});

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '"><script>alert(1)</script>',
    '&url=https://evil.example',
    '#x?y=z',
    '{url}',
    '%0d%0aBcc: a@b',
    'javascript:x',
  ),
);
const anyPage = fc.record({
  url: fc.webUrl({ withQueryParameters: true, withFragments: true }),
  title: text,
  description: text,
  media: fc.webUrl(),
});

describe.each(Object.keys(networks) as NetworkId[])('any page in a link to %s', (id) => {
  const template: string = networks[id].link;

  test('survives a round trip unchanged', () => {
    const [, forUrl = ''] = /[?&](\w+)=\{url\}(?:&|$)/.exec(template) ?? [];
    const [, forBoth = ''] = /[?&](\w+)=\{title\} \{url\}/.exec(template) ?? [];
    const [, forTitle = ''] = /[?&](\w+)=\{title\}(?:&|$)/.exec(template) ?? [];
    fc.assert(
      fc.property(anyPage, (shared) => {
        const { searchParams } = new URL(linkTo(id, marks, shared));
        const title = shared.title.toWellFormed();
        if (forUrl !== '') expect(searchParams.get(forUrl)).toBe(shared.url);
        if (forBoth !== '') expect(searchParams.get(forBoth)).toBe(`${title} ${shared.url}`.trim());
        if (forTitle !== '') expect(searchParams.get(forTitle) ?? '').toBe(title.trim());
        if (id === 'email') expect(searchParams.get('body')?.endsWith(shared.url)).toBe(true);
        expect([forUrl, forBoth, id === 'email' ? 'body' : ''].some((name) => name !== '')).toBe(true);
      }),
    );
  });

  test('changes neither whom it opens nor the rest of the text', () => {
    const allowed = new Set(new URL(template).searchParams.keys());
    fc.assert(
      fc.property(anyPage, (shared) => {
        const link = linkTo(id, marks, shared);
        const { protocol, host, pathname, hash, searchParams } = new URL(link);
        const usual = new URL(template);
        expect([protocol, host, pathname, hash]).toEqual([
          usual.protocol,
          usual.host,
          usual.pathname,
          usual.hash,
        ]);
        const names = [...searchParams.keys()];
        expect(new Set(names).size).toBe(names.length);
        expect(names.filter((name) => !allowed.has(name))).toEqual([]);
        expect(link).toMatch(/^[\w:/.?=&%*-]+$/);
      }),
    );
  });
});

test('recognises networks by other names and in any case', () => {
  expect(['Twitter', 'X', 'VK', 'LINE', 'constructor', ''].map(networkOf)).toEqual([
    'x',
    'x',
    'vk',
    'line',
    undefined,
    undefined,
  ]);
});

test.each([
  ['https://share.example/new?u={url}&t={title}', null],
  ['https://share.example/?text={title}%20{url}', null],
  ['http://share.example/?u={url}', 'must be an https:// address'],
  ['javascript:alert({url})', 'must be an https:// address'],
  ['https://user:pass@share.example/?u={url}', 'must be an https:// address'],
  ['share.example/?u={url}', 'must be an https:// address'],
  ['https://share.example/?t={title}', 'must have {url} in its query'],
  ['https://share.example/{url}?u={url}', 'has a {…} that is no value of its query'],
  ['https://{title}.example/?u={url}', 'has a {…} that is no value of its query'],
  ['https://share.example/?{url}={url}', 'has a {…} that is no value of its query'],
  ['https://share.example/?u={url}#{title}', 'has a {…} that is no value of its query'],
  ['https://share.example/?u={link}', 'knows no {link}'],
])('the address %s: %s', (template, problem) => {
  const found = templateProblem(template);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});
