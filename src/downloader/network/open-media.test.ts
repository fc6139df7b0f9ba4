import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import { chunksOf, type MediaRequest, type NetworkEvent, type PlatformNetwork } from './contracts.ts';
import { MirrorsExhausted } from './network-failures.ts';
import { bytesOf, type Origin, startOrigin, testHosts, testNetwork, until } from './testing/origin.ts';

let origin: Origin;
let network: PlatformNetwork;
let events: NetworkEvent[];
const file = Buffer.from(Array.from({ length: 300_000 }, (_value, index) => index % 251));

beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(() => {
  events = [];
  network = testNetwork(origin, { observe: (event) => events.push(event) });
});
afterEach(async () => {
  vi.useRealTimers();
  await network.close();
  await until(() => origin.open.size === 0);
});
afterAll(() => origin.close());

const never = new AbortController().signal;
const first = `https://${testHosts.media}/a`;
const second = `https://${testHosts.mirror}/a`;
const want = (request: Partial<MediaRequest> & { urls?: readonly string[] } = {}): MediaRequest => ({
  source: { urls: request.urls ?? [first, second], headers: {}, expiresAt: 0 },
  start: 0,
  end: null,
  signal: never,
  ...request,
});
const failureOf = async (promise: Promise<unknown>): Promise<Failure> => {
  const thrown: unknown = await promise.catch((error: unknown) => error);
  if (!(thrown instanceof Failure)) throw new Error(`no failure but ${String(thrown)}`);
  return thrown;
};

describe('openMedia', () => {
  it('returns the whole file, and sends address and headers verbatim', async () => {
    const seen: string[] = [];
    origin.handle = (request, response) => {
      seen.push(request.url ?? '', ...request.rawHeaders);
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': file.length }).end(file);
    };
    const path = "/video/tos/x/?a=1988&bti=O'D&&bt=1&tk=tt_chain_token";
    const source = {
      urls: [`https://${testHosts.media}${path}`],
      headers: { cookie: 'tt_chain_token=a+b/c==', Referer: 'https://www.platform.test/' },
      expiresAt: 0,
    };
    const media = await network.openMedia(want({ source }));
    expect(media).toMatchObject({
      size: file.length,
      start: 0,
      length: file.length,
      contentType: 'video/mp4',
      mirror: 0,
    });
    expect(await bytesOf(media)).toEqual(file);
    expect(seen[0]).toBe(path);
    expect(seen).toContain('tt_chain_token=a+b/c==');
    expect(seen).toContain('bytes=0-');
    expect(events).toEqual([{ hosts: 'x/media', outcome: 'ok', status: 200, bytes: file.length }]);
  });

  it('requests a range, and reads what arrives', async () => {
    origin.handle = (request, response) => {
      expect(request.headers.range).toBe('bytes=1000-1999');
      response
        .writeHead(206, { 'content-range': `bytes 1000-1999/${file.length}`, 'content-length': 1000 })
        .end(file.subarray(1000, 2000));
    };
    const media = await network.openMedia(want({ start: 1000, end: 2000 }));
    expect(media).toMatchObject({ size: file.length, start: 1000, length: 1000 });
    expect(await bytesOf(media)).toEqual(file.subarray(1000, 2000));
  });

  it('reports a server that ignores the range', async () => {
    origin.handle = (_request, response) =>
      response.writeHead(200, { 'content-length': file.length }).end(file);
    const media = await network.openMedia(want({ start: 1000 }));
    expect(media).toMatchObject({ size: file.length, start: 0, length: file.length });
    media.stop();
  });

  it.each<[string, (response: import('node:http').ServerResponse) => void]>([
    [
      '403, even labelled as a video',
      (r) => r.writeHead(403, { 'content-type': 'video/mp4' }).end('Access Denied'),
    ],
    ['404', (r) => r.writeHead(404).end()],
    ['503', (r) => r.writeHead(503).end()],
    ['a page', (r) => r.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>')],
    ['nothing', (r) => r.writeHead(200, { 'content-length': 0 }).end()],
    ['204', (r) => r.writeHead(204).end()],
    ['a compressed file', (r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end('x')],
    ['a reset', (r) => r.socket?.destroy()],
    ['a stall before the head', () => {}],
    ['another range', (r) => r.writeHead(206, { 'content-range': 'bytes 5-9/100' }).end('12345')],
    ['no range', (r) => r.writeHead(206).end('12345')],
    ['more than the range', (r) => r.writeHead(206, { 'content-range': 'bytes 0-99/100' }).end('1')],
    [
      'lengths that contradict',
      (r) => r.writeHead(206, { 'content-range': 'bytes 0-9/100', 'content-length': 5 }).end('12345'),
    ],
    [
      'a redirect to a foreign host',
      (r) => r.writeHead(302, { location: 'https://www.foreign.test/' }).end(),
    ],
    ['a redirect loop', (r) => r.writeHead(302, { location: first }).end()],
    ['a redirect to a page', (r) => r.writeHead(302, { location: 'https://www.platform.test/404' }).end()],
  ])('tries the next address after %s', async (_name, answer) => {
    origin.handle = (request, response) => {
      if (request.headers.host === testHosts.media) answer(response);
      else if (request.headers.host === testHosts.mirror) {
        response.writeHead(206, { 'content-range': `bytes 0-9/${file.length}` }).end(file.subarray(0, 10));
      } else throw new Error('asked a host that is not on the list');
    };
    const media = await network.openMedia(want({ end: 10 }));
    expect(media.mirror).toBe(1);
    expect(await bytesOf(media)).toEqual(file.subarray(0, 10));
  });

  it('distinguishes refusals from broken connections when no address is left', async () => {
    origin.handle = (_request, response) => response.writeHead(403).end();
    const refused = await failureOf(network.openMedia(want()));
    expect(refused).toMatchObject({ key: 'media_unavailable', cause: { refused: true } });
    expect(events.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
    origin.handle = (_request, response) => response.socket?.destroy();
    const broken = await failureOf(network.openMedia(want()));
    expect(broken.cause).toBeInstanceOf(MirrorsExhausted);
    expect(broken).toMatchObject({ key: 'media_unavailable', cause: { refused: false } });
    origin.handle = () => {};
    expect((await failureOf(network.openMedia(want()))).key).toBe('platform_timeout');
    expect((await failureOf(network.openMedia(want({ urls: [] })))).key).toBe('media_unavailable');
  });

  it('says where only redirects to unknown hosts are left, and names each', async () => {
    const to = (location: string) => {
      origin.handle = (_request, response) => response.writeHead(302, { location }).end();
    };
    to('https://www.foreign.test/a');
    expect((await failureOf(network.openMedia(want()))).key).toBe('media_host_unknown');
    to('https://[::1]/');
    expect((await failureOf(network.openMedia(want()))).key).toBe('media_unavailable');
    expect(events.flatMap(({ hosts, refusedHost }) => (refusedHost ? [[hosts, refusedHost]] : []))).toEqual([
      ['x/media', 'www.foreign.test'],
      ['x/media', 'www.foreign.test'],
    ]);
  });

  it('reports a start behind the end as such', async () => {
    origin.handle = (_request, response) => response.writeHead(416, { 'content-range': 'bytes */5' }).end();
    expect((await failureOf(network.openMedia(want({ start: 5 })))).key).toBe('range_unsatisfiable');
  });

  it('follows a redirect inside the list, and sends cookies only to their own domain', async () => {
    const cookies: (string | undefined)[] = [];
    origin.handle = (request, response) => {
      cookies.push(request.headers.cookie);
      if (request.headers.host === testHosts.media) response.writeHead(302, { location: second }).end();
      else if (request.headers.host === testHosts.mirror) {
        response.writeHead(302, { location: `https://${testHosts.otherDomain}/b` }).end();
      } else response.end('body');
    };
    const source = { urls: [first], headers: { Cookie: 'a=b' }, expiresAt: 0 };
    const media = await network.openMedia(want({ source }));
    expect((await bytesOf(media)).toString()).toBe('body');
    expect(cookies).toEqual(['a=b', 'a=b', undefined]);
  });

  it.each([
    ['a short body', 'content-length'],
    ['a body shorter than its range', 'chunked'],
  ])('fails the stream at %s', async (_name, how) => {
    origin.handle = (_request, response) => {
      const headers: Record<string, string> = { 'content-range': 'bytes 0-99/100' };
      if (how === 'content-length') headers['content-length'] = '100';
      response.writeHead(206, headers);
      response.write('x'.repeat(50), () =>
        how === 'content-length' ? response.socket?.destroy() : response.end(),
      );
    };
    const media = await network.openMedia(want({ end: 100 }));
    await expect(bytesOf(media)).rejects.toThrow();
  });

  it('truncates a body that is longer than its range', async () => {
    origin.handle = (_request, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-9/100' });
      response.write(file.subarray(0, 40));
    };
    const media = await network.openMedia(want({ end: 10 }));
    expect(await bytesOf(media)).toEqual(file.subarray(0, 10));
  });

  it('fails a stalled body, but not a slow one', async () => {
    origin.handle = (_request, response) => {
      response.writeHead(200, { 'content-length': 12 });
      response.write('1');
    };
    const stalled = await network.openMedia(want());
    await expect(bytesOf(stalled)).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' });

    origin.handle = (_request, response) => {
      response.writeHead(200, { 'content-length': 12 });
      let left = 12;
      const drip = setInterval(() => {
        response.write('1');
        left -= 1;
        if (left === 0) clearInterval(drip);
      }, 60);
    };
    const slow = await network.openMedia(want());
    expect((await bytesOf(slow)).length).toBe(12);
  });

  it('fails a body that would never be complete, but not one whose reader is slow', async () => {
    const strict = testNetwork(origin, { leastMediaBytesPerS: 1000 });
    let drip: NodeJS.Timeout | undefined;
    origin.handle = (_request, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 });
      drip = setInterval(() => response.write('1'), 20);
    };
    const slow = await strict.openMedia(want());
    await expect(bytesOf(slow)).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' });
    clearInterval(drip);

    const large = Buffer.alloc(2_000_000, 1);
    origin.handle = (_request, response) => {
      response.writeHead(200, { 'content-length': large.length }).end(large);
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const fast = await strict.openMedia(want());
    let bytes = 0;
    for await (const chunk of chunksOf(fast)) {
      // Longer than the window in which the minimum would have to arrive.
      if (bytes === 0) await vi.advanceTimersByTimeAsync(450);
      bytes += chunk.length;
    }
    expect(bytes).toBe(large.length);
    await strict.close();
  });

  it('closes the connection when the body is no longer wanted', async () => {
    origin.handle = (_request, response) => {
      response.writeHead(200, { 'content-length': 1e9 });
      response.write(file);
    };
    const media = await network.openMedia(want());
    expect(origin.open.size).toBe(1);
    media.stop();
    await until(() => origin.open.size === 0);

    const left = new AbortController();
    const other = await network.openMedia(want({ signal: left.signal }));
    const reading = bytesOf(other);
    left.abort(new Error('left'));
    await expect(reading).rejects.toThrow('left');
    await until(() => origin.open.size === 0);
  });

  it('reads no further than requested', async () => {
    let sent = 0;
    origin.handle = (_request, response) => {
      response.writeHead(200);
      const more = () => {
        while (sent < 64_000_000) {
          sent += file.length;
          if (!response.write(file)) break;
        }
      };
      response.on('drain', more);
      more();
    };
    const media = await network.openMedia(want());
    await media.next();
    let before = -1;
    let quietTurns = 0;
    // Until the kernel's buffers are full and no byte moves: both ends run in this process, alternately.
    await until(() => {
      quietTurns = before === sent ? quietTurns + 1 : 0;
      before = sent;
      return quietTurns === 100;
    });
    expect(sent).toBeLessThan(32_000_000);
    media.stop();
  });
});
