import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testNetwork, until } from '../network/testing/origin.ts';
import type { RelayResult } from './relay.ts';
import { fakeMp4, serveFile } from './testing/media-server.ts';
import { copying, file, setUpVideoSource } from './testing/video-fixture.ts';
import type { VideoRequest } from './video.ts';

const setup = setUpVideoSource();

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
      const video = await setup.open(request);
      response.writeHead(video.status, { 'content-length': String(video.length) });
      result = await video.pipeTo(response);
    };

  it('delivers a file larger than every buffer', async () => {
    const large = fakeMp4(20_000_000);
    setup.origin.handle = serveFile(large);
    serve = pass();
    expect((await buffer(await download())).equals(large)).toBe(true);
    await last;
    expect(result).toMatchObject({ outcome: 'complete', bytes: large.length });
  });

  it('releases the memory of sent bytes at once', async () => {
    const large = fakeMp4(20_000_000);
    setup.origin.handle = serveFile(large);
    const written: Buffer[] = [];
    serve = async (response) => {
      const video = await setup.open();
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
    setup.origin.handle = serveFile(file, (count) =>
      count === 0 ? { after: 200_000, ending: 'reset' } : { file: fakeMp4(5000) },
    );
    serve = pass();
    await expect(buffer(await download())).rejects.toMatchObject({ code: 'ECONNRESET' });
    await last;
    expect(result?.outcome).toBe('broken');
  });

  it('closes the connection to the platform at once when the client leaves', async () => {
    let sent = 0;
    setup.origin.handle = (_request, response) => {
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
    await until(() => setup.origin.open.size === 0);
    expect(sent).toBeLessThan(1e9);
  });

  it('pauses the platform while the client reads nothing, and gives up on such a client', async () => {
    let sent = 0;
    setup.origin.handle = (_request, response) => {
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
    await until(() => setup.origin.open.size === 0);
  });

  it('reuses its connection also when only its first bytes are wanted', async () => {
    const connections = new Set<unknown>();
    const answer = serveFile(file);
    setup.origin.handle = (request, response) => {
      connections.add(request.socket);
      answer(request, response);
    };
    serve = pass({ range: 'bytes=0-99' });
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await buffer(await download())).equals(file.subarray(0, 100))).toBe(true);
      await last;
      expect(result).toMatchObject({ outcome: 'complete', bytes: 100 });
    }
    expect(connections.size).toBe(1);
  });

  it('lends its connection to others while its client reads nothing, and resumes where it was', async () => {
    await setup.network.close();
    setup.network = testNetwork(setup.origin, {
      flows: { limit: 1, idleMs: 0, patienceMs: 60_000 },
      timeouts: { mediaIdleMs: 10_000 },
    });
    let most = 0;
    setup.origin.handle = (request, response) => {
      most = Math.max(most, setup.origin.open.size);
      serveFile(file)(request, response);
    };
    const targets = Array.from({ length: 5 }, copying);
    const results: Promise<RelayResult>[] = [];
    // There is no reader yet: each takes over the previous connection.
    for (const target of targets) results.push((await setup.open()).pipeTo(target));
    const files = await Promise.all(targets.map((target) => buffer(target)));
    for (const read of files) expect(read.equals(file)).toBe(true);
    for (const result of await Promise.all(results))
      expect(result).toMatchObject({ outcome: 'complete', bytes: file.length, resumes: 0 });
    // One is in use, and the server may not have noticed yet that another closes.
    expect(most).toBeLessThanOrEqual(2);
  });

  it('ends with the signal', async () => {
    setup.origin.handle = serveFile(file, () => ({ after: 100_000, ending: 'stall' }));
    const stop = new AbortController();
    serve = pass({ signal: stop.signal });
    const response = await download();
    await new Promise((resolve) => response.once('data', resolve));
    const broken = expect(buffer(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
    stop.abort(new Error('stopping'));
    await broken;
    await last;
    expect(result?.outcome).toBe('left');
    await until(() => setup.origin.open.size === 0);
  });

  it('leaves nothing behind when sixty clients leave at once', { timeout: 20_000 }, async () => {
    await setup.network.close();
    setup.network = testNetwork(setup.origin, {
      timeouts: { connectMs: 10_000, headersMs: 10_000, mediaIdleMs: 10_000 },
    });
    setup.origin.handle = serveFile(file, () => ({ after: 100_000, ending: 'stall' }));
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
    await until(() => setup.origin.open.size === 0);
    await setup.network.close();
    // The one tick that undici shares among its own limits may still be armed.
    expect(timers()).toBeLessThanOrEqual(3);
  });
});
