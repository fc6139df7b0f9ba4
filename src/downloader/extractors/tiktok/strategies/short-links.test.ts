import { describe, expect, test, vi } from 'vitest';
import { Failure } from '../../../../failures/failures.ts';
import { createTiktokExtractor } from '../extractor.ts';
import { challengePage, fakeNetwork, never, videoReference } from '../testing/platform-fake.ts';

type Routes = Parameters<typeof fakeNetwork>[0];

const blocked = { body: challengePage };

describe('short links', () => {
  const vm = 'https://vm.tiktok.com/ZS4VE7DHe/';
  const vt = 'https://vt.tiktok.com/ZS4VE7DHe/';
  const to = (location: string, status = 301) => ({ status, headers: { location } });
  const post = 'https://www.tiktok.com/@invented.cook/video/7301234567890123456';

  async function locate(routes: Routes): Promise<string> {
    const { network, requests } = fakeNetwork(routes);
    const extractor = createTiktokExtractor({ network });
    try {
      return (await extractor.locate({ platform: 'tiktok', code: 'ZS4VE7DHe' }, never)).id;
    } catch (thrown) {
      if (thrown instanceof Failure) return thrown.key;
      throw thrown;
    } finally {
      for (const request of requests) {
        expect(request.url).toMatch(/^https:\/\/v[mt]\.tiktok\.com\/[A-Za-z0-9_-]+\/$/);
        expect([request.maxRedirects, request.hosts]).toEqual([0, 'tiktok/short-link']);
      }
    }
  }

  test.each<[string, Routes, string]>([
    ['a redirect', { [vm]: to(`${post}?_r=1&_t=ZS-x`) }, videoReference.id],
    [
      '302 to a slideshow',
      { [vm]: to('https://www.tiktok.com/@a/photo/7301234567890123456?_r=1', 302) },
      videoReference.id,
    ],
    [
      'an empty handle',
      { [vm]: to('https://www.tiktok.com/@/video/7301234567890123456?_r=1') },
      videoReference.id,
    ],
    ['a relative target', { [vm]: to('/@a/video/7301234567890123456') }, videoReference.id],
    [
      'a stub without Location',
      { [vm]: { body: `<a href="${post}?_r=1&amp;_t=x">Found</a>.` } },
      videoReference.id,
    ],
    [
      'share_item_id',
      { [vm]: to('https://www.tiktok.com/foo?_r=1&share_item_id=7301234567890123456') },
      videoReference.id,
    ],
    [
      'a second short link',
      { [vm]: to('https://vt.tiktok.com/ZSother12/'), 'https://vm.tiktok.com/ZSother12/': to(post) },
      videoReference.id,
    ],
    ['a loop', { 'https://vm.tiktok.com/': to('https://vt.tiktok.com/ZS4VE7DHe/') }, 'short_link_dead'],
    ['a dead code', { [vm]: to('https://www.tiktok.com/?_r=1') }, 'short_link_dead'],
    [
      'a foreign target',
      { [vm]: to('https://www.threads.example/@a/video/7301234567890123456') },
      'short_link_elsewhere',
    ],
    [
      'a look-alike target',
      { [vm]: to('https://www.eviltiktok.com/@a/video/7301234567890123456') },
      'short_link_elsewhere',
    ],
    [
      'a story',
      { [vm]: to('https://www.tiktok.com/@a/story/7301234567890123456?_t=8ab&_r=1') },
      videoReference.id,
    ],
    ['the page for what is not there', { [vm]: to('/404?fromUrl=%2Fabc') }, 'short_link_dead'],
    ['the other such page', { [vm]: to('https://www.tiktok.com/en/notfound?x=1') }, 'short_link_dead'],
    ['the Lite advert', { [vm]: to('https://www.tiktok.com/tiktoklite?_r=1') }, 'link_lite'],
    ['a script target', { [vm]: to('javascript:alert(1)') }, 'short_link_elsewhere'],
    ['404', { [vm]: { status: 404 } }, 'short_link_dead'],
    ['200 without a target', { [vm]: { body: `<html>${'x'.repeat(60_000)}</html>` } }, 'short_link_dead'],
    ['a profile', { [vm]: to('https://www.tiktok.com/@invented.cook?_r=1') }, 'link_profile'],
    ['a live room', { [vm]: to('https://www.tiktok.com/@invented.cook/live?_r=1') }, 'link_live'],
    ['a sound', { [vm]: to('https://www.tiktok.com/music/x-7301234567890123456') }, 'link_sound'],
    ['a log-in', { [vm]: to('https://www.tiktok.com/login?redirect_url=x') }, 'post_login_required'],
    ['a challenge', { [vm]: blocked, [vt]: blocked }, 'platform_blocked'],
    ['one redirector down', { [vm]: { status: 503 }, [vt]: to(post) }, videoReference.id],
    ['a region', { [vm]: { status: 451 } }, 'post_region_blocked'],
  ])('%s', async (_, routes, result) => {
    expect(await locate(routes)).toBe(result);
  });

  test('an unknown host is counted by its name in the closed list', async () => {
    const { network } = fakeNetwork({ [vm]: to('https://www.musical.ly/@a/video/7301234567890123456') });
    const shape = vi.fn();
    const readings = { answered() {}, asked() {}, shape };
    const extractor = createTiktokExtractor({ network, readings });
    const located = extractor.locate({ platform: 'tiktok', code: 'ZS4VE7DHe' }, never);
    await expect(located).rejects.toMatchObject({ key: 'short_link_elsewhere' });
    expect(shape.mock.calls).toEqual([
      [
        {
          strategy: 'tiktok/short-link',
          shape: { kind: 'host', name: 'musical.ly' },
          example: 'www.musical.ly',
        },
      ],
    ]);
  });
});
