import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import type { PageResponse } from '../../server/http/responses/response.ts';
import { createPageSigner } from '../../server/page-cache/signed-page.ts';
import { createProtocolClient } from './client.ts';
import { createPageCacheProgram } from './program.ts';
import { createRemotePageCache } from './remote.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let time = 1;
const program = () => listen(createPageCacheProgram({ maxBytes: 1e6, now: () => time }));
const send = async (origin: string, call: string, body?: string, method = 'POST') => {
  const response = await fetch(origin + call, { method, ...(body !== undefined && { body }) });
  return { status: response.status, text: await response.text(), headers: response.headers };
};

describe('the program', () => {
  test('stores texts under keys, as pages and as answers of backends', async () => {
    const at = await program();
    expect((await send(at, '/set?key=en.desktop/&ts=7', '<p>page')).status).toBe(200);
    await send(at, '/set?type=1&key=list', '{"a":1}');
    const page = await send(at, '/get?key=en.desktop/', undefined, 'GET');
    expect([page.status, page.text, page.headers.get('x-page-version')]).toEqual([200, '<p>page', '7']);
    expect((await send(at, '/get?type=1&key=list')).text).toBe('{"a":1}');
    expect((await send(at, '/get?key=list', undefined, 'GET')).status).toBe(404);
    expect((await send(at, '/keys')).text).toBe('["en.desktop/"]');
    expect((await send(at, '/keys?type=1')).text).toBe('["list"]');
    expect((await send(at, '/del?type=1&key=list')).text).toBe('1');
    expect((await send(at, '/keys?type=1')).text).toBe('[]');
  });

  test('drops by key, keys, suffix, version, and all', async () => {
    const at = await program();
    const fill = async () => {
      for (const key of ['a/x', 'b/x', 'c/y']) await send(at, `/set?key=${key}&ts=1`, key);
      await send(at, '/set?key=new&ts=2', 'new');
    };
    const left = async () => (JSON.parse((await send(at, '/keys')).text) as string[]).toSorted();
    await fill();
    await send(at, '/del?key=a/x');
    expect(await left()).toEqual(['b/x', 'c/y', 'new']);
    await send(at, '/del-keys?keys=b/x,c/y');
    expect(await left()).toEqual(['new']);
    await fill();
    expect((await send(at, '/del_by_suffix?key=/x')).text).toBe('2');
    expect(await left()).toEqual(['c/y', 'new']);
    expect((await send(at, '/clearByVersion?ts=2')).text).toBe('1');
    expect(await left()).toEqual(['new']);
    await send(at, '/reset');
    expect(await left()).toEqual([]);
  });

  test('separates the domains that share it', async () => {
    const at = await program();
    await send(at, '/set?key=k&domain=one.example', 'one');
    await send(at, '/set?key=k&domain=two.example', 'two');
    expect((await send(at, '/get?key=k&domain=two.example')).text).toBe('two');
    await send(at, '/reset?domain=one.example');
    expect((await send(at, '/keys?domain=one.example')).text).toBe('[]');
    expect((await send(at, '/keys?domain=two.example')).text).toBe('["k"]');
    expect((await send(at, '/keys')).text).toBe('[]');
  });

  test('says when nothing has changed, and forgets old entries', async () => {
    const at = await program();
    await send(at, '/set?key=k&ttl=10', 'text');
    const etag = (await send(at, '/get?key=k')).headers.get('etag') ?? '';
    const again = await fetch(`${at}/get?key=k`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    time += 10_001;
    expect((await send(at, '/get?key=k')).status).toBe(404);
  });

  test('refuses requests of a web page in somebody’s browser, and those that could be another domain’s', async () => {
    const at = await program();
    const { hostname, port } = new URL(at);
    const statusOf = async (headers: Record<string, string>, path = '/get?key=k') => {
      const asked = request({ hostname, port, path, headers, agent: false }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    for (const host of ['127.0.0.1:40010', '[::1]:40010', 'page-cache', 'cache.internal:40010', 'localhost'])
      expect([host, await statusOf({ host })]).toEqual([host, 404]);
    expect(await statusOf({ host: 'evil.example' })).toBe(403);
    expect(await statusOf({ origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    for (const path of ['/get?key=a%0Ab', '/get?key=k&domain=a%0Ab', '/get?key=k&domain=%00'])
      expect([path, await statusOf({}, path)]).toEqual([path, 400]);
  });

  test('holds no more than it may, including everything that is being written', async () => {
    const at = await listen(createPageCacheProgram({ maxBytes: 4e6 }));
    const { hostname, port } = new URL(at);
    const started = Array.from({ length: 8 }, async (_, n) => {
      const writing = request({ hostname, port, path: `/set?key=${n}`, method: 'POST', agent: false });
      open.push(() => writing.destroy());
      writing.on('error', () => {});
      writing.setHeader('content-length', 1e6);
      writing.write('x'.repeat(400_000));
      const [answer] = (await once(writing, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    });
    // Two unfinished requests fit; the others are refused.
    expect(await Promise.any(started)).toBe(503);
  });

  /** Requests a text on a separate connection, and never reads the response. */
  async function neverRead(at: string, key: string): Promise<{ status: number; socket: Socket }> {
    const { hostname, port } = new URL(at);
    const asking = request({ hostname, port, path: `/get?key=${key}`, agent: false }).end();
    open.push(() => asking.destroy());
    asking.on('error', () => {});
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, socket: answer.socket };
  }

  test('holds no more than it may for readers that never read', async () => {
    const at = await listen(createPageCacheProgram({ maxBytes: 64e6 }));
    const text = 'x'.repeat(6e6);
    for (const key of ['one', 'two']) await send(at, `/set?key=${key}`, text);
    const { status, socket } = await neverRead(at, 'one');
    expect([status, (await neverRead(at, 'one')).status]).toEqual([200, 200]);
    expect((await send(at, '/get?key=two')).status).toBe(503);
    expect((await send(at, '/set?key=three', 'text')).status).toBe(200);
    expect((await send(at, '/get?key=three')).status).toBe(200);
    socket.destroy();
    expect((await send(at, '/get?key=one')).text).toBe(text);
  });

  test('closes a connection whose reader does not read', async () => {
    const server = createPageCacheProgram({ maxBytes: 64e6, stillMs: 2000 });
    const at = await listen(server);
    await send(at, '/set?key=k', 'x'.repeat(6e6));
    expect((await neverRead(at, 'k')).status).toBe(200);
    const connections = () => promisify(server.getConnections.bind(server))();
    // One of them is kept for the next request.
    await expect.poll(connections, { timeout: 30_000 }).toBe(1);
    expect((await send(at, '/get?key=k')).text).toHaveLength(6e6);
  });

  test('refuses what it does not know, and what is too much', async () => {
    const at = await program();
    for (const [call, status, method] of [
      ['/nothing', 404, 'POST'],
      ['/constructor', 404, 'POST'],
      ['/reset', 405, 'GET'],
      ['/get', 400, 'GET'],
      ['/set?key=k', 400, 'POST'],
      [`/get?key=${'k'.repeat(2000)}`, 400, 'GET'],
      ['/get?key=k', 405, 'DELETE'],
    ] as const)
      expect([call, (await send(at, call, undefined, method)).status]).toEqual([call, status]);
    expect((await send(at, '/set?key=k&ttl=-1', 'x')).status).toBe(400);
    const huge = await send(at, '/set?key=k', 'x'.repeat(9_000_000)).catch(() => ({ status: 413 }));
    expect(huge.status).toBe(413);
    expect((await send(at, '/keys')).text).toBe('[]');
  });
});

const page: PageResponse = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from('<p>words</p>'.repeat(300)),
};

const secret = Buffer.from('the same on all instances, and long enough');

/** Patient with a busy machine, unless the patience itself is tested. */
function cacheAt(url: string, version = '1', domain?: string, lookupMs = 2000) {
  const failures: unknown[] = [];
  const client = createProtocolClient({
    url,
    domain,
    lookupMs,
    onFailure: (error) => failures.push(error),
    now: () => time,
  });
  open.push(client.close);
  const signer = createPageSigner({ secret, domain, version });
  return { cache: createRemotePageCache({ client, signer, version, maxBytes: 1e6 }), client, failures };
}

/** The page in the renderer's form. */
async function rendered(): Promise<PageResponse> {
  return { ...page, headers: { ...page.headers, 'content-security-policy': "script-src 'sha256-x'" } };
}

describe('a site that shares its cache', () => {
  test('gives other instances what one has made, compressed once', async () => {
    const at = await program();
    const one = cacheAt(at);
    const two = cacheAt(at);
    const kept = await one.cache.begin()('en.desktop/', await rendered(), 60);
    await expect.poll(() => one.cache.operations.keys('pages')).toEqual(['en.desktop/']);
    const found = await two.cache.find('en.desktop/');
    expect(found).toEqual(kept);
    expect(await two.cache.find('en.desktop/')).toBe(found);
    expect(await one.cache.find('en.desktop/')).toBe(kept);
    await two.cache.operations.deleteBySuffix(['/']);
    expect(await one.cache.find('en.desktop/')).toBeNull();
    expect([...one.failures, ...two.failures]).toEqual([]);
  });

  test('never shows pages of another build', async () => {
    const at = await program();
    const older = cacheAt(at, '1');
    await older.cache.begin()('en.desktop/', await rendered(), 60);
    await expect.poll(() => older.cache.operations.keys('pages')).toHaveLength(1);
    expect(await cacheAt(at, '2').cache.find('en.desktop/')).toBeNull();
  });

  test('shares a page with its headers', async () => {
    const at = await program();
    const { cache, client } = cacheAt(at, '1', 'site.example');
    const response = await rendered();
    await cache.begin()('other', { ...response, headers: { ...response.headers, link: '</x>' } }, 60);
    await expect.poll(() => client.keys('pages')).toEqual(['other']);
    const found = await cacheAt(at, '1', 'site.example').cache.find('other');
    expect(found?.headers).toEqual({ ...response.headers, link: '</x>' });
  });

  test('shows nothing that it has not signed itself, for this address', async () => {
    const at = await program();
    const { cache, client } = cacheAt(at);
    await cache.begin()('en./', await rendered(), 60);
    await expect.poll(() => client.keys('pages')).toEqual(['en./']);
    const kept = (await send(at, '/get?key=en./', undefined, 'GET')).text;
    const find = (key = 'en./') => cacheAt(at).cache.find(key);
    expect(await find()).not.toBeNull();
    const forged = [
      kept.replace('</p>', '</p><script>smuggled()</script>'),
      kept.slice(kept.indexOf('\n') + 1),
      kept.replace(/ \d+ /, ' 99999999999999 '),
      kept.replace(/ [\w-]+\n/, ' e30\n'),
      '',
      'x',
    ].filter(Boolean);
    for (const text of forged) {
      await send(at, '/set?key=en./&ts=1', text);
      expect([text.slice(0, 80), await find()]).toEqual([text.slice(0, 80), null]);
    }
    // The right text, in place of another page.
    await send(at, '/set?key=en./contact&ts=1', kept);
    expect(await find('en./contact')).toBeNull();
    await send(at, '/set?key=en./&ts=1', kept);
    expect(await find()).not.toBeNull();
  });

  test.each([
    ['hangs', () => undefined],
    ['resets', (socket: { destroy(): void }) => socket.destroy()],
  ])('continues without a host that %s, and then leaves it alone for a second', async (_, act) => {
    const asked: string[] = [];
    const at = await listen(
      createServer((request) => {
        asked.push(request.url ?? '');
        act(request.socket);
      }),
    );
    const { cache, failures } = cacheAt(at, '1', undefined, 50);
    for (let n = 0; n < 5; n += 1) {
      expect(await cache.find('key')).toBeNull();
    }
    expect(failures).toHaveLength(3);
    expect(asked.length).toBeLessThanOrEqual(6);
    time += 1001;
    await cache.find('key');
    expect(failures).toHaveLength(4);
  });

  test('operator calls reach the host, and do not fail without it', async () => {
    const at = await program();
    const { cache } = cacheAt(at);
    await send(at, '/set?type=1&key=list', 'answer');
    expect(await cache.operations.getRequest('list')).toBe('answer');
    expect(await cache.operations.delete('requests', ['list'])).toBe(1);
    expect(await cache.operations.getRequest('list')).toBeNull();
    await send(at, '/set?key=a', 'a');
    await send(at, '/set?key=b', 'b');
    expect(await cache.operations.delete('pages', ['a', 'b'])).toBe(2);
    expect(await cache.operations.reset()).toBe(0);
    const gone = cacheAt('http://127.0.0.1:9');
    expect(await gone.cache.operations.keys('pages')).toEqual([]);
    expect(await gone.cache.operations.reset()).toBe(0);
  });
});
