import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MediaNetwork } from '../network/contracts.ts';
import { type Origin, startOrigin, testHosts, testNetwork, until } from '../network/testing/origin.ts';
import type { MediaSource } from '../posts/post.ts';
import type { RelayResult } from './relay.ts';
import { fakeMp4, serveFile } from './testing/media-server.ts';
import { type OpenedVideo, openVideo, type VideoRequest } from './video.ts';

let origin: Origin;
let network: MediaNetwork;
const file = fakeMp4(600_000);
const never = new AbortController().signal;
const source: MediaSource = {
  urls: [`https://${testHosts.media}/a`, `https://${testHosts.mirror}/a`],
  headers: {},
  expiresAt: 0,
};

beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(() => {
  network = testNetwork(origin);
});
afterEach(async () => {
  await network.close();
  await until(() => origin.open.size === 0);
});
afterAll(() => origin.close());

const open = (request: Partial<VideoRequest> = {}): Promise<OpenedVideo> =>
  openVideo({ network, source, signal: never, ...request });

/** A target that is done with a chunk when it calls back, as sockets are. */
const copying = () => new Transform({ transform: (chunk, _, done) => done(null, Buffer.from(chunk)) });

/** Passes the body on into memory; what arrived and how it ended. */
async function passOn(video: OpenedVideo): Promise<{ bytes: Buffer; result: RelayResult; clean: boolean }> {
  const target = copying();
  const chunks: Buffer[] = [];
  target.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<boolean>((resolve) => {
    target.on('end', () => resolve(true)).on('close', () => resolve(false));
  });
  const result = await video.pipeTo(target);
  const clean = await ended;
  return { bytes: Buffer.concat(chunks), result, clean };
}

describe('before the first byte', () => {
  it.each([
    [undefined, 200, 0, 600_000],
    ['bytes=0-', 206, 0, 600_000],
    ['bytes=0-0', 206, 0, 1],
    ['bytes=2-5', 206, 2, 4],
    ['bytes=1000-1999', 206, 1000, 1000],
    ['bytes=599999-', 206, 599_999, 1],
    ['bytes=100-900000', 206, 100, 599_900],
    ['bytes=-100', 206, 599_900, 100],
    ['bytes=-900000', 206, 0, 600_000],
    ['bytes=1-2,5-6', 200, 0, 600_000],
    ['nonsense', 200, 0, 600_000],
  ])('answers Range %j', async (range, status, start, length) => {
    origin.handle = serveFile(file);
    const video = await open({ range });
    expect(video).toMatchObject({ status, start, length, size: file.length });
    const { bytes, result, clean } = await passOn(video);
    expect(bytes.equals(file.subarray(start, start + length))).toBe(true);
    expect(result).toMatchObject({ outcome: 'complete', bytes: length, resumes: 0 });
    expect(clean).toBe(true);
  });

  it.each(['bytes=600000-', 'bytes=700000-800000', 'bytes=-0'])('cannot satisfy Range %j', async (range) => {
    origin.handle = serveFile(file);
    expect(await open({ range })).toMatchObject({ status: 416, size: file.length });
  });

  it('reads only the facts for HEAD', async () => {
    const asked: unknown[] = [];
    origin.handle = serveFile(file, (_count, request) => {
      asked.push(request.headers.range);
      return {};
    });
    expect(await open({ head: true })).toMatchObject({ status: 200, size: file.length, length: file.length });
    expect(await open({ head: true, range: 'bytes=-5' })).toMatchObject({
      status: 206,
      start: 599_995,
      length: 5,
    });
    expect(asked).toEqual(['bytes=0-11', 'bytes=0-11']);
  });

  it('honours If-Range', async () => {
    origin.handle = serveFile(file);
    const etagOf = (size: number | null) => `"clip-${size}"`;
    const same = await open({ range: 'bytes=5-9', ifRange: '"clip-600000"', etagOf });
    expect(same).toMatchObject({ status: 206, start: 5, length: 5, etag: '"clip-600000"' });
    same.close();
    const other = await open({ range: 'bytes=5-9', ifRange: '"clip-1"', etagOf });
    expect(other).toMatchObject({ status: 200, start: 0, length: file.length });
    other.close();
    const unknown = await open({ range: 'bytes=5-9', ifRange: '"clip-1"' });
    expect(unknown.status).toBe(200);
    unknown.close();
  });

  it('sends the whole file when the platform ignores ranges', async () => {
    origin.handle = serveFile(file, () => ({ ignoreRange: true }));
    const video = await open({ range: 'bytes=1000-1999' });
    expect(video).toMatchObject({ status: 200, start: 0, length: file.length });
    expect((await passOn(video)).bytes.equals(file)).toBe(true);
    const begin = await open({ range: 'bytes=0-99' });
    expect(begin).toMatchObject({ start: 0 });
    expect((await passOn(begin)).bytes.equals(file.subarray(0, begin.length ?? 0))).toBe(true);
  });

  it('takes v19 when v16 says 403', async () => {
    origin.handle = serveFile(file, (_count, request) =>
      request.headers.host === testHosts.media
        ? {
            instead: (response) =>
              response.writeHead(403, { 'content-type': 'video/mp4' }).end('Access Denied'),
          }
        : {},
    );
    expect((await passOn(await open())).bytes.equals(file)).toBe(true);
  });

  it('reads the post again once when every address is refused', async () => {
    let refreshed = 0;
    const refresh = async () => {
      refreshed += 1;
      return { ...source, urls: [`https://${testHosts.media}/fresh`] };
    };
    origin.handle = serveFile(file, (_count, request) =>
      request.url === '/fresh' ? {} : { instead: (response) => response.writeHead(403).end() },
    );
    expect((await passOn(await open({ refresh }))).bytes.equals(file)).toBe(true);
    expect(refreshed).toBe(1);

    origin.handle = (_request, response) => response.writeHead(403).end();
    await expect(open({ refresh })).rejects.toMatchObject({ key: 'media_unavailable' });
    expect(refreshed).toBe(2);
  });

  it('does not read the post again when the connection is what is broken', async () => {
    origin.handle = (_request, response) => response.socket?.destroy();
    const refresh = () => Promise.reject(new Error('asked'));
    await expect(open({ refresh })).rejects.toMatchObject({ key: 'media_unavailable' });
  });

  it.each([
    ['something else', Buffer.alloc(1000, 65)],
    ['a playlist', Buffer.from('#EXTM3U\n#EXT-X-VERSION:3\n')],
    ['a few bytes', Buffer.from('\0\0')],
  ])('refuses %s', async (_name, other) => {
    origin.handle = serveFile(other);
    await expect(open()).rejects.toMatchObject({ key: 'media_invalid' });
    await expect(open({ range: 'bytes=0-1' })).rejects.toMatchObject({ key: 'media_invalid' });
  });

  it('tries the next address before it refuses', async () => {
    origin.handle = serveFile(file, (_count, request) =>
      request.headers.host === testHosts.media ? { file: Buffer.alloc(1000, 65) } : {},
    );
    expect((await passOn(await open())).bytes.equals(file)).toBe(true);
  });
});

describe('when the platform breaks off', () => {
  it.each(['reset', 'end', 'stall'] as const)('picks up after a %s', async (ending) => {
    const asked: unknown[] = [];
    origin.handle = serveFile(file, (count, request) => {
      asked.push(request.headers.range);
      return count < 2 ? { after: 150_000, ending } : {};
    });
    const { bytes, result, clean } = await passOn(await open({ range: 'bytes=0-' }));
    expect(bytes.equals(file)).toBe(true);
    expect(clean).toBe(true);
    expect(result).toMatchObject({ outcome: 'complete', resumes: 2 });
    expect(asked.length).toBe(3);
  });

  it('stays inside the range that the client asked for', async () => {
    origin.handle = serveFile(file, (count) => (count === 0 ? { after: 1000, ending: 'reset' } : {}));
    const { bytes, result } = await passOn(await open({ range: 'bytes=100000-499999' }));
    expect(bytes.equals(file.subarray(100_000, 500_000))).toBe(true);
    expect(result.outcome).toBe('complete');
  });

  it('goes to the next address when the first one does not come back', async () => {
    origin.handle = serveFile(file, (count, request) => {
      if (count === 0) return { after: 200_000, ending: 'reset' };
      return request.headers.host === testHosts.media ? { instead: (r) => r.socket?.destroy() } : {};
    });
    expect((await passOn(await open())).bytes.equals(file)).toBe(true);
  });

  it('reads the post again when the addresses expire in the middle', async () => {
    origin.handle = serveFile(file, (count, request) => {
      if (count === 0) return { after: 200_000, ending: 'reset' };
      return request.url === '/fresh' ? {} : { instead: (r) => r.writeHead(403).end() };
    });
    const refresh = async () => ({ ...source, urls: [`https://${testHosts.mirror}/fresh`] });
    expect((await passOn(await open({ refresh }))).bytes.equals(file)).toBe(true);
  });

  it('drops what it has already sent when the server starts from the beginning', async () => {
    origin.handle = serveFile(file, (count) =>
      count === 0 ? { after: 200_000, ending: 'reset' } : { ignoreRange: true },
    );
    expect((await passOn(await open())).bytes.equals(file)).toBe(true);
  });

  it('never mixes two files, and never ends cleanly without the last byte', async () => {
    origin.handle = serveFile(file, (count) =>
      count === 0 ? { after: 200_000, ending: 'reset' } : { file: fakeMp4(600_001) },
    );
    const { bytes, result, clean } = await passOn(await open());
    expect(clean).toBe(false);
    expect(result).toMatchObject({ outcome: 'broken', resumes: 0 });
    expect(bytes.length).toBeLessThan(file.length);
    expect(bytes.equals(file.subarray(0, bytes.length))).toBe(true);
  });

  it('gives up after a few attempts without progress', async () => {
    let asked = 0;
    origin.handle = serveFile(file, () => {
      asked += 1;
      return { after: 100, ending: 'reset' };
    });
    const { result, clean } = await passOn(await open());
    expect(clean).toBe(false);
    expect(result.outcome).toBe('broken');
    expect(asked).toBeLessThan(12);
  });

  it('cannot pick up a file of unknown size', async () => {
    origin.handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' });
      response.write(file.subarray(0, 1000), () => response.socket?.destroy());
    };
    const video = await open();
    expect(video).toMatchObject({ size: null, length: null, status: 200 });
    expect((await passOn(video)).clean).toBe(false);
  });

  it('passes on a file of unknown size that ends cleanly', async () => {
    origin.handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' });
      response.end(file);
    };
    const { bytes, clean } = await passOn(await open());
    expect(bytes.equals(file)).toBe(true);
    expect(clean).toBe(true);
  });
});

describe('to a client over HTTP', () => {
  let server: Server;
  let serve: (response: ServerResponse) => Promise<void>;
  let last: Promise<void>;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      last = serve(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const download = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get({ port: (server.address() as AddressInfo).port, agent: false }, resolve).on('error', reject);
    });
  let result: RelayResult | undefined;
  const pass =
    (request: Partial<VideoRequest> = {}) =>
    async (response: ServerResponse) => {
      result = undefined;
      const video = await open(request);
      response.writeHead(video.status, { 'content-length': String(video.length) });
      result = await video.pipeTo(response);
    };

  it('delivers a file larger than every buffer', async () => {
    const large = fakeMp4(20_000_000);
    origin.handle = serveFile(large);
    serve = pass();
    expect((await buffer(await download())).equals(large)).toBe(true);
    await last;
    expect(result).toMatchObject({ outcome: 'complete', bytes: large.length });
  });

  it('gives the memory of what was sent back at once', async () => {
    const large = fakeMp4(20_000_000);
    origin.handle = serveFile(large);
    const written: Buffer[] = [];
    serve = async (response) => {
      const video = await open();
      response.writeHead(video.status, { 'content-length': String(video.length) });
      const write = response.write.bind(response);
      // @ts-expect-error: only the overload that is used
      response.write = (chunk: Buffer, done: () => void) => {
        written.push(chunk);
        return write(chunk, done);
      };
      result = await video.pipeTo(response);
    };
    expect((await buffer(await download())).equals(large)).toBe(true);
    await last;
    const kept = written.filter((chunk) => chunk.buffer.byteLength > 0);
    // The first of each answer shares its memory with the head.
    expect(Buffer.concat(kept).length).toBeLessThan(large.length / 20);
  });

  it('breaks the connection when the file cannot be completed', async () => {
    origin.handle = serveFile(file, (count) =>
      count === 0 ? { after: 200_000, ending: 'reset' } : { file: fakeMp4(5000) },
    );
    serve = pass();
    await expect(buffer(await download())).rejects.toMatchObject({ code: 'ECONNRESET' });
    await last;
    expect(result?.outcome).toBe('broken');
  });

  it('closes the connection to the platform at once when the client leaves', async () => {
    let sent = 0;
    origin.handle = (_request, response) => {
      response.writeHead(200, { 'content-length': 1e9 });
      const more = () => {
        do sent += file.length;
        while (response.write(file));
      };
      response.on('drain', more);
      more();
    };
    serve = pass();
    const response = await download();
    await new Promise((resolve) => response.once('data', resolve));
    response.destroy();
    await last;
    expect(result?.outcome).toBe('left');
    await until(() => origin.open.size === 0);
    expect(sent).toBeLessThan(1e9);
  });

  it('holds the platform back while the client takes nothing, and gives such a client up', async () => {
    let sent = 0;
    origin.handle = (_request, response) => {
      response.writeHead(200, { 'content-length': 1e9 });
      const more = () => {
        do sent += file.length;
        while (sent < 1e9 && response.write(file));
      };
      response.on('drain', more);
      more();
    };
    serve = pass({ targetIdleMs: 300 });
    const response = await download();
    response.on('error', () => {});
    await last;
    expect(result?.outcome).toBe('left');
    expect(sent).toBeLessThan(200_000_000);
    response.destroy();
    await until(() => origin.open.size === 0);
  });

  it('lends its connection to others while its client takes nothing, and goes on where it was', async () => {
    await network.close();
    network = testNetwork(origin, {
      flows: { limit: 1, idleMs: 0, patienceMs: 60_000 },
      timeouts: { mediaIdleMs: 10_000 },
    });
    let most = 0;
    origin.handle = (request, response) => {
      most = Math.max(most, origin.open.size);
      serveFile(file)(request, response);
    };
    const targets = Array.from({ length: 5 }, copying);
    const results: Promise<RelayResult>[] = [];
    // Nobody reads yet: each takes the connection of the one before.
    for (const target of targets) results.push((await open()).pipeTo(target));
    const files = await Promise.all(targets.map((target) => buffer(target)));
    for (const read of files) expect(read.equals(file)).toBe(true);
    for (const result of await Promise.all(results))
      expect(result).toMatchObject({ outcome: 'complete', bytes: file.length, resumes: 0 });
    // One in use, and one that the server may not have seen closing yet.
    expect(most).toBeLessThanOrEqual(2);
  });

  it('ends with the signal', async () => {
    origin.handle = serveFile(file, () => ({ after: 100_000, ending: 'stall' }));
    const stop = new AbortController();
    serve = pass({ signal: stop.signal });
    const response = await download();
    await new Promise((resolve) => response.once('data', resolve));
    const broken = expect(buffer(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
    stop.abort(new Error('stopping'));
    await broken;
    await last;
    expect(result?.outcome).toBe('left');
    await until(() => origin.open.size === 0);
  });

  it('leaves nothing behind when sixty clients leave at once', { timeout: 20_000 }, async () => {
    await network.close();
    network = testNetwork(origin, {
      timeouts: { connectMs: 10_000, headersMs: 10_000, mediaIdleMs: 10_000 },
    });
    origin.handle = serveFile(file, () => ({ after: 100_000, ending: 'stall' }));
    const results: Promise<void>[] = [];
    serve = (response) => {
      const one = pass()(response);
      results.push(one);
      return one;
    };
    const responses = await Promise.all(Array.from({ length: 60 }, download));
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    for (const response of responses) response.destroy();
    await Promise.all(results);
    await until(() => origin.open.size === 0);
    await network.close();
    // The one tick that undici shares among its own limits may still be armed.
    expect(timers()).toBeLessThanOrEqual(3);
  });
});
