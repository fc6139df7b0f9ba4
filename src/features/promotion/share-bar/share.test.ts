import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSiteConfiguration } from '../../../app/parts/read-site-configuration.ts';
import { promotionOf } from '../configuration/promotion.ts';

const own = JSON.parse(readFileSync('site.config.json', 'utf8')) as object;
const shareOf = (share_config: object | undefined) =>
  promotionOf(parseSiteConfiguration({ ...own, share_config })).share_config;

test('a site without the field has no share bar', () => {
  expect(shareOf(undefined)).toBeNull();
});

test('an empty field shows the usual networks of each language', () => {
  expect(shareOf({})).toEqual({ networks: null, marks: { hashtags: [], twitterUser: '' } });
});

test('accepts network names in any case, with custom addresses', () => {
  const share = shareOf({
    share_web_list: ['facebook', 'Twitter', 'Mastodon'],
    share_link_list: [
      '',
      'https://x.example/post?url={url}',
      'https://mastodon.example/share?text={title} {url}',
    ],
    hashtags: ['clips', 'видео'],
    twitterUser: 'clipferry',
  });
  expect(share).toEqual({
    networks: [
      { id: 'facebook', link: null },
      { id: 'x', link: 'https://x.example/post?url={url}' },
      { id: 'Mastodon', link: 'https://mastodon.example/share?text={title} {url}' },
    ],
    marks: { hashtags: ['clips', 'видео'], twitterUser: 'clipferry' },
  });
});

test.each([
  [{ share_web_list: [] }, 'share_config.share_web_list'],
  [{ share_web_list: ['mastodon'] }, 'share_config.share_web_list.0'],
  [{ share_web_list: ['x', 'Twitter'] }, 'share_config.share_web_list.1'],
  [
    {
      share_web_list: ['Home', 'home'],
      share_link_list: ['https://a.example/?u={url}', 'https://b.example/?u={url}'],
    },
    'share_config.share_web_list.1',
  ],
  [{ share_web_list: ['x'], share_link_list: ['', ''] }, 'share_config.share_link_list.1'],
  [
    { share_web_list: ['x'], share_link_list: ['http://x.example/?u={url}'] },
    'share_config.share_link_list.0',
  ],
  [{ share_link_list: ['https://x.example/?u={url}'] }, 'share_config.share_link_list.0'],
  [{ hashtags: ['#clips'] }, 'share_config.hashtags.0'],
  [{ twitterUser: '@clipferry' }, 'share_config.twitterUser'],
  [{ networks: ['x'] }, 'share_config'],
])('refuses %j by the name of its field', (share_config, place) => {
  expect(() => shareOf(share_config)).toThrow(`\n  ${place}: `);
});
