import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { numberedId } from './scenarios/ids.ts';
import { POSTS, postNamed, postUrl } from './scenarios/posts.ts';
import { startTiktokDouble, type TiktokDouble } from './server.ts';
import { Client } from './testing-client.ts';

let double: TiktokDouble;
let client: Client;

beforeAll(async () => {
  double = await startTiktokDouble();
  client = new Client(double);
});
afterEach(() => double.reset());
afterAll(async () => {
  await client.close();
  await double.close();
});

const SITE = { referer: 'https://www.tiktok.com/' };
const link = (name: string) => double.links[name] ?? expect.unreachable(`no link ${name}`);
const read = async (name: string) => {
  const { cookie, detail } = await client.readPost(postUrl(postNamed(name)).replace('/photo/', '/video/'));
  if (detail === undefined) return expect.unreachable('no scope');
  return { cookie, detail, item: detail.itemInfo.itemStruct };
};

describe('the proxy', () => {
  test('never connects to a host outside its list, and counts the hosts that were requested', async () => {
    await expect(client.get('https://www.example.com/')).rejects.toThrow();
    await expect(client.get('https://www.tiktok.com:8443/')).rejects.toThrow();
    expect(double.stats().foreign).toEqual({ 'www.example.com:443': 1, 'www.tiktok.com:8443': 1 });
  });

  test('answers only under the name of the connection', async () => {
    expect((await client.get(link('ordinary'), { host: 'vm.tiktok.com' })).status).toBe(421);
  });

  test('a host can become unreachable, untrusted and healthy again', async () => {
    double.configure({ hostFaults: { 'p19-common-sign.tiktokcdn-us.com': 'refuse' } });
    await expect(client.get('https://p19-common-sign.tiktokcdn-us.com/')).rejects.toThrow('502');
    double.configure({ hostFaults: { 'p19-common-sign.tiktokcdn-us.com': 'bad-tls' } });
    await expect(client.get('https://p19-common-sign.tiktokcdn-us.com/')).rejects.toThrow(/self-signed/);
    double.configure({ hostFaults: { 'p19-common-sign.tiktokcdn-us.com': null } });
    expect((await client.get('https://p19-common-sign.tiktokcdn-us.com/')).status).toBe(403);
  });

  test('two doubles run side by side', async () => {
    const other = await startTiktokDouble();
    const otherClient = new Client(other);
    expect((await otherClient.get(link('ordinary'))).status).toBe(200);
    expect(double.stats().requests).toBe(0);
    await otherClient.close();
    await other.close();
  });
});

describe('the post page', () => {
  test('has the size and the escaping of the real one, plain and gzipped the same', async () => {
    const plain = await client.get(link('ordinary'));
    const gzipped = await client.get(link('ordinary'), { 'accept-encoding': 'gzip' });
    const { gunzipSync } = await import('node:zlib');
    expect(gunzipSync(gzipped.body).length).toBe(plain.body.length);
    expect(plain.body.length).toBeGreaterThan(260_000);
    const json = plain.body.toString().split('type="application/json">').at(-1)?.split('</script>')[0] ?? '';
    expect(json).toContain('\\u002Fvideo\\u002Ftos');
    expect(json).not.toMatch(/[/<]/);
  });

  test('every public post is shown', async () => {
    const names = POSTS.filter(({ group, page }) => group === 'posts' && page.kind === 'post');
    for (const { name, id, post } of names) {
      const { detail, item } = await read(name);
      expect(detail.statusCode, name).toBe(0);
      expect(item, name).toMatchObject({ id, desc: post.text });
    }
  });

  test('refusals have status 200, the scope, their code and no item', async () => {
    for (const { name, page, id, embed } of POSTS) {
      if (page.kind !== 'status') continue;
      const { detail } = await client.readPost(link(name));
      expect(detail, name).toMatchObject({ statusCode: page.code, statusMsg: page.message, itemInfo: {} });
      const { status } = await client.get(`https://www.tiktok.com/embed/v2/${id}`);
      expect(status, name).toBe(embed === 'found' ? 200 : embed === 'gone' ? 400 : 500);
    }
  });

  test('bots get a decoy, bingbot gets nothing, phones get another scope', async () => {
    const decoy = await client.get(link('ordinary'), { 'user-agent': 'facebookexternalhit/1.1' });
    expect(decoy.status).toBe(200);
    expect(decoy.body.toString()).not.toContain('REHYDRATION');
    expect((await client.get(link('ordinary'), { 'user-agent': 'bingbot/2.0' })).status).toBe(403);
    const phone = await client.get(link('ordinary'), {
      'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0)',
    });
    expect(phone.body.toString()).toContain('webapp.reflow.video.detail');
  });

  test('a range of Chrome versions can be refused', async () => {
    double.configure({ blockedChrome: [150, 160] });
    expect((await client.get(link('ordinary'))).body.toString()).toContain('Maintenance');
  });

  test('unknown and malformed ids have their own codes', async () => {
    const unknown = await client.readPost('https://www.tiktok.com/@i/video/7300000000000000001');
    expect(unknown.detail).toMatchObject({ statusCode: 10204, statusMsg: "item doesn't exist" });
    const malformed = await client.readPost('https://www.tiktok.com/@i/video/1');
    expect(malformed.detail).toMatchObject({ statusCode: 100002 });
  });

  test('numbered ids are different posts with their own file addresses', async () => {
    const first = await client.readPost(`https://www.tiktok.com/@i/video/${numberedId(0)}`);
    const other = await client.readPost(`https://www.tiktok.com/@i/video/${numberedId(70_000)}`);
    expect(other.detail?.itemInfo.itemStruct.id).toBe(numberedId(70_000));
    expect(other.detail?.itemInfo.itemStruct.video.playAddr).not.toBe(
      first.detail?.itemInfo.itemStruct.video.playAddr,
    );
  });

  test('a fault for the first read wears off, and returns after a reset', async () => {
    expect((await client.get(link('forbidden-once'))).status).toBe(403);
    expect((await client.get(link('forbidden-once'))).status).toBe(200);
    double.reset();
    expect((await client.get(link('forbidden-once'))).status).toBe(403);
  });

  test('truncated pages keep the marker and lose the end', async () => {
    for (const name of ['truncated-50', 'truncated-90', 'truncated-99']) {
      const text = (await client.get(link(name))).body.toString();
      expect(text).toContain('__UNIVERSAL_DATA_FOR_REHYDRATION__');
      expect(text.endsWith('</html>')).toBe(false);
    }
  });
});

describe('the media servers', () => {
  test('prime requires the cookie of the page, a referer and a user agent', async () => {
    const { cookie, item } = await read('ordinary');
    const other = await read('ordinary');
    const { playAddr } = item.video;
    const good = await client.get(playAddr, { ...SITE, cookie });
    expect(good.status).toBe(200);
    expect(good.headers['content-type']).toBe('video/mp4');
    expect(good.body.subarray(4, 8).toString()).toBe('ftyp');
    expect(good.body.length).toBe(Number(item.video.size));
    expect((await client.get(playAddr, SITE)).status).toBe(403);
    expect((await client.get(playAddr, { cookie })).status).toBe(403);
    expect((await client.get(playAddr, { ...SITE, cookie, 'user-agent': '' })).status).toBe(403);
    const lie = await client.get(playAddr, { ...SITE, cookie: other.cookie });
    expect(lie).toMatchObject({ status: 403, headers: { 'content-type': 'video/mp4' } });
    expect(lie.body.length).toBe(522);
  });

  test('addresses expire: video after two days and the length of the clip, sound after six hours', async () => {
    const { cookie, item } = await read('ordinary');
    const playUrl = item.music?.playUrl ?? '';
    double.configure({ advanceMs: 6 * 3_600_000 - 60_000 });
    expect((await client.get(playUrl)).status).toBe(200);
    double.configure({ advanceMs: 120_000 });
    expect((await client.get(playUrl)).status).toBe(403);
    expect((await client.get(item.video.playAddr, { ...SITE, cookie })).status).toBe(200);
    double.configure({ advanceMs: 42 * 3_600_000 });
    expect((await client.get(item.video.playAddr, { ...SITE, cookie })).status).toBe(403);
  });

  test('serves ranges, open-ended ranges and HEAD', async () => {
    const { cookie, item } = await read('ordinary');
    const request = (range: string, method: 'GET' | 'HEAD' = 'GET') =>
      client.get(item.video.playAddr, { ...SITE, cookie, range, 'if-range': '"other"' }, method);
    const whole = await client.get(item.video.playAddr, { ...SITE, cookie });
    const size = whole.body.length;
    const part = await request('bytes=1000-1999');
    expect(part.status).toBe(206);
    expect(part.headers['content-range']).toBe(`bytes 1000-1999/${size}`);
    expect(part.body.equals(whole.body.subarray(1000, 2000))).toBe(true);
    expect((await request('bytes=-100')).body.equals(whole.body.subarray(-100))).toBe(true);
    expect((await request(`bytes=${size - 5}-`)).body.length).toBe(5);
    expect(await request(`bytes=${size}-`)).toMatchObject({
      status: 416,
      headers: { 'content-range': `bytes */${size}` },
    });
    const head = await request('bytes=0-9', 'HEAD');
    expect(head).toMatchObject({ status: 206, headers: { 'content-length': '10' } });
    expect(head.body.length).toBe(0);
  });

  test('player and embed addresses need no cookie', async () => {
    const { id } = postNamed('only-576');
    const player = await client.get(`https://www.tiktok.com/player/api/v1/items?item_ids=${id}`);
    const url = JSON.parse(player.body.toString()).items[0].video_info.url_list[0];
    expect(await client.get(url, { range: 'bytes=0-9' })).toMatchObject({ status: 206 });
    const tampered = url.replace(id, postNamed('ordinary').id);
    expect((await client.get(tampered)).status).toBe(403);
  });

  test('serves the pictures and the sound of a slideshow', async () => {
    const { item } = await read('photos');
    const pictures = item.imagePost?.images ?? [];
    const types = await Promise.all(
      pictures.map(
        async ({ imageURL }) => (await client.get(imageURL.urlList[1] ?? '')).headers['content-type'],
      ),
    );
    expect(types).toEqual(['image/jpeg', 'image/jpeg', 'image/webp', 'image/jpeg']);
    const sound = await client.get(item.music?.playUrl ?? '');
    expect(sound.headers['content-type']).toBe('audio/mpeg');
    // 20 s at 96 kbit/s.
    expect(Math.round(sound.body.length / 12_000)).toBe(20);
    const m4a = (await read('photos-m4a')).item.music?.playUrl ?? '';
    expect((await client.get(m4a)).body.subarray(4, 8).toString()).toBe('ftyp');
  });

  test('the first host refuses, the second works; stale addresses work after a second read', async () => {
    const { cookie, item } = await read('first-host-refuses');
    const statuses = await Promise.all(
      item.video.PlayAddrStruct.UrlList.map(
        async (url) => (await client.get(url, { ...SITE, cookie, range: 'bytes=0-1' })).status,
      ),
    );
    expect(statuses).toEqual([403, 206, 302]);
    const first = await read('stale-addresses');
    expect((await client.get(first.item.video.playAddr, { ...SITE, cookie: first.cookie })).status).toBe(403);
    const second = await read('stale-addresses');
    expect((await client.get(second.item.video.playAddr, { ...SITE, cookie: second.cookie })).status).toBe(
      200,
    );
  });

  test('an interrupted answer can be resumed once the fault has worn off', async () => {
    const { cookie, item } = await read('early-close-once');
    const url = item.video.playAddr;
    await expect(client.get(url, { ...SITE, cookie })).rejects.toThrow();
    const rest = await client.get(url, { ...SITE, cookie, range: 'bytes=400000-' });
    expect(rest.status).toBe(206);
    expect(rest.body.length).toBe(Number(item.video.size) - 400_000);
    const always = await read('early-close-always');
    const tail = { ...SITE, cookie: always.cookie, range: 'bytes=700000-' };
    await expect(client.get(always.item.video.playAddr, tail)).rejects.toThrow();
  });

  test('simulates a connection reset and a wrong length', async () => {
    const reset = await read('reset-once');
    await expect(
      client.get(reset.item.video.playAddr, { ...SITE, cookie: reset.cookie }),
    ).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    const long = await read('length-too-long');
    await expect(client.get(long.item.video.playAddr, { ...SITE, cookie: long.cookie })).rejects.toThrow();
  });
});

describe('short links', () => {
  test.each([
    ['short-vm', /\/@ferry\.captain\/video\/\d{19}\?_r=1/],
    ['short-photo', /\/photo\/\d{19}/],
    ['short-hyphen', /\/video\//],
    ['short-dead', /^https:\/\/www\.tiktok\.com\/\?_r=1$/],
    ['short-foreign', /^https:\/\/www\.example\.com\//],
    ['short-t', /\/video\//],
  ])('%s redirects', async (name, location) => {
    const { status, headers } = await client.get(link(name));
    expect(status).toBe(301);
    expect(headers.location).toMatch(location);
  });

  test('codes are case-sensitive, and unknown codes lead to the home page', async () => {
    const { headers } = await client.get('https://vm.tiktok.com/zsordinar/');
    expect(headers.location).toBe('https://www.tiktok.com/?_r=1');
  });

  test('the stub and Discordbot have no Location', async () => {
    const stub = await client.get(link('short-stub'));
    expect(stub.headers.location).toBeUndefined();
    expect(stub.body.toString()).toContain('<a href="https://www.tiktok.com/@');
    const bot = await client.get(link('short-vm'), { 'user-agent': 'Discordbot/2.0' });
    expect(bot).toMatchObject({ status: 200 });
    expect(bot.headers.location).toBeUndefined();
  });

  test('ten links redirect in a circle', async () => {
    let url = link('short-loop');
    for (let hop = 0; hop < 10; hop += 1) url = String((await client.get(url)).headers.location);
    expect(url).toBe(link('short-loop'));
  });
});

describe('line and control', () => {
  test('latency precedes each answer', async () => {
    double.configure({ posts: { ordinary: { latencyMs: 60_000 } } });
    const slow = client.get(link('ordinary')).then(
      () => 'answered',
      () => 'closed',
    );
    const quick = client.get(link('long-60s')).then(({ status }) => status);
    expect(await Promise.race([slow, quick])).toBe(200);
  });

  test('the control endpoint counts requests, changes settings and refuses what it does not know', async () => {
    await client.get(link('ordinary'));
    const stats = await (await fetch(`${double.controlUrl}/stats`)).json();
    expect(stats).toMatchObject({ requests: 1, byKind: { page: 1 }, byPost: { ordinary: { requests: 1 } } });
    const wrong = await fetch(`${double.controlUrl}/configure`, { method: 'POST', body: '{"latency":1}' });
    expect(wrong.status).toBe(400);
    const right = await fetch(`${double.controlUrl}/configure`, { method: 'POST', body: '{"latencyMs":1}' });
    expect(right.status).toBe(200);
  });
});
