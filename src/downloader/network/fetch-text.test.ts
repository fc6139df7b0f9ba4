import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import type { HttpVersion, NetworkEvent, PlatformNetwork, TextRequest } from './contracts.ts';
import { releaseBody } from './memory.ts';
import { createPlatformNetwork } from './platform-network.ts';
import { makeCertificate } from './testing/certificate.ts';
import {
  cutOff,
  type Origin,
  startOrigin,
  testHosts,
  testLists,
  testNetwork,
  until,
} from './testing/origin.ts';

let origin: Origin;
let network: PlatformNetwork;
let events: NetworkEvent[];
let http: HttpVersion;

beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(() => {
  events = [];
  network = testNetwork(origin, { observe: (event) => events.push(event) });
});
afterEach(async () => {
  await network.close();
  await until(() => origin.open.size === 0);
});
afterAll(() => origin.close());

const never = new AbortController().signal;
const page = (path = '/', request: Partial<TextRequest> = {}): TextRequest => ({
  url: `https://${testHosts.page}${path}`,
  hosts: 'x/page',
  http,
  maxBytes: 100_000,
  maxRedirects: 0,
  signal: never,
  ...request,
});
/** Describes it for each HTTP version. */
const overEach = (name: string, tests: () => void) =>
  describe.each(['1.1', '2'] as const)(`${name}, HTTP/%s`, (version) => {
    beforeEach(() => {
      http = version;
    });
    tests();
  });
const failureOf = async (promise: Promise<unknown>): Promise<Failure> => {
  const thrown: unknown = await promise.catch((error: unknown) => error);
  if (!(thrown instanceof Failure)) throw new Error(`no failure but ${String(thrown)}`);
  return thrown;
};

overEach('answers', () => {
  it('returns status, headers, cookies and text', async () => {
    origin.handle = (_request, response) => {
      response.setHeader('set-cookie', ['a=1; Path=/', 'b=2, 3']);
      response.writeHead(403, { 'x-some': 'Thing' }).end('nö');
    };
    expect(await network.fetchText(page())).toMatchObject({
      http,
      status: 403,
      headers: { 'x-some': 'Thing' },
      setCookies: ['a=1; Path=/', 'b=2, 3'],
      body: Buffer.from('nö'),
      url: page().url,
    });
    expect(events).toEqual([{ hosts: 'x/page', outcome: 'refused', status: 403, bytes: 3 }]);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('decodes %s', async (encoding, encode) => {
    const text = 'Überall '.repeat(10_000);
    origin.handle = (_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(encode(text));
    };
    expect((await network.fetchText(page())).body.toString()).toBe(text);
  });

  it('releases the memory of a large body at once, and leaves that of small ones alone', async () => {
    const text = 'Überall '.repeat(10_000);
    const neighbour = Buffer.from('a neighbour in the pool');
    origin.handle = (request, response) => {
      const gzipped = gzipSync(request.url === '/large' ? text : 'small');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipped);
    };
    const large = await network.fetchText(page('/large'));
    expect(large.body.buffer.byteLength).toBeGreaterThan(80_000);
    releaseBody(large.body);
    expect(large.body.buffer.byteLength).toBe(0);
    const small = await network.fetchText(page('/small'));
    releaseBody(small.body);
    expect(small.body.toString()).toBe('small');
    expect(neighbour.toString()).toBe('a neighbour in the pool');
  });

  it("sends the caller's headers in their order, with the jar's cookies at their place", async () => {
    let names: string[] = [];
    origin.handle = (request, response) => {
      names = request.rawHeaders.filter((_value, index) => index % 2 === 0);
      response.end(request.headers['user-agent']);
    };
    const answer = await network.fetchText(
      page('/', {
        headers: { 'x-extra': '1', 'User-Agent': 'Own', cookie: '', accept: 'text/html', priority: '' },
        jar: { headerFor: () => 'a=b', store() {} },
      }),
    );
    expect(answer.body.toString()).toBe('Own');
    expect(names.filter((name) => !/^:|^host$|^connection$/.test(name))).toEqual([
      ...['accept-encoding', 'x-extra', 'user-agent', 'cookie', 'accept'],
    ]);
  });

  it('keeps its connection for the next request', async () => {
    origin.handle = (_request, response) => response.end('x');
    const before = origin.connections;
    for (let count = 0; count < 6; count += 1) await network.fetchText(page());
    // A request in the same tick in which an answer ends may need a second connection.
    expect(origin.connections - before).toBeLessThanOrEqual(2);
  });
});

overEach('limits', () => {
  it('gives up on a body that is too long, announced or not', async () => {
    origin.handle = (request, response) => {
      if (request.url === '/announced') response.setHeader('content-length', 100_001);
      response.write('x'.repeat(100_001));
      if (request.url === '/announced') response.end();
    };
    expect((await failureOf(network.fetchText(page('/announced')))).key).toBe('platform_failed');
    expect((await failureOf(network.fetchText(page('/endless')))).key).toBe('platform_failed');
  });

  it.each(['gzip', 'br'] as const)('does not unfold a %s bomb', async (encoding) => {
    const zeros = Buffer.alloc(64 * 1024 * 1024);
    const bomb = encoding === 'gzip' ? gzipSync(zeros) : brotliCompressSync(zeros);
    origin.handle = (_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb);
    };
    const before = process.memoryUsage().arrayBuffers;
    expect((await failureOf(network.fetchText(page()))).key).toBe('platform_failed');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
  });

  it('reports broken compression as a failure of the platform', async () => {
    origin.handle = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip');
    };
    expect((await failureOf(network.fetchText(page()))).key).toBe('platform_failed');
  });

  it('waits no longer than allowed for the head', async () => {
    origin.handle = () => {};
    expect((await failureOf(network.fetchText(page()))).key).toBe('platform_timeout');
    expect(events).toMatchObject([{ outcome: 'timeout', status: 0 }]);
  });

  it.each([0, 20])('waits no longer than allowed for the body, dripping every %i ms', async (everyMs) => {
    origin.handle = (_request, response) => {
      response.write('x');
      if (everyMs === 0) return;
      const drip = setInterval(() => response.write('x'), everyMs);
      response.on('close', () => clearInterval(drip));
    };
    expect((await failureOf(network.fetchText(page()))).key).toBe('platform_timeout');
  });

  it('ends at once when the caller leaves', async () => {
    const left = new AbortController();
    const reason = new Error('left');
    let closed = false;
    origin.handle = (_request, response) => {
      response.write('x');
      response.on('close', () => {
        closed = true;
      });
      left.abort(reason);
    };
    await expect(network.fetchText(page('/', { signal: left.signal }))).rejects.toBe(reason);
    await until(() => closed);
    expect(events).toMatchObject([{ outcome: 'aborted' }]);
    await expect(network.fetchText(page('/', { signal: left.signal }))).rejects.toBe(reason);
  });
});

overEach('broken connections', () => {
  it.each([
    ['a reset before the head', 0],
    ['a short body', 1],
  ])('reports %s', async (_name, wrote) => {
    origin.handle = (_request, response) => {
      if (wrote === 0) cutOff(response);
      else {
        response.writeHead(200, { 'content-length': 10 });
        response.write('x', () => cutOff(response));
      }
    };
    expect((await failureOf(network.fetchText(page()))).key).toBe('platform_failed');
  });

  it('reports a refused connection', async () => {
    const closed = await startOrigin();
    const other = testNetwork(closed);
    await closed.close();
    expect((await failureOf(other.fetchText(page()))).key).toBe('platform_failed');
    await other.close();
  });

  it('sends nothing to a server that cannot prove its name', async () => {
    const { cert } = await makeCertificate(['www.foreign.test']);
    const strict = testNetwork(origin, {
      loopback: { ca: cert, portOf: () => origin.port, allowAddress: () => true },
    });
    let requested = false;
    origin.handle = (_request, response) => {
      requested = true;
      response.end();
    };
    expect((await failureOf(strict.fetchText(page()))).key).toBe('platform_failed');
    expect(requested).toBe(false);
    await strict.close();
  });
});

overEach('redirects', () => {
  const redirectTo = (location: (path: string) => string) => {
    origin.handle = (request, response) => {
      if (request.url === '/end') response.end('here');
      else response.writeHead(302, { location: location(request.url ?? '') }).end();
    };
  };

  it('follows redirects inside the list, and returns the final address', async () => {
    origin.handle = (request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/end?x=1&&y' }).end();
      else response.end(`here ${request.url}`);
    };
    const answer = await network.fetchText(page('/', { maxRedirects: 3 }));
    expect(answer).toMatchObject({
      body: Buffer.from('here /end?x=1&&y'),
      url: `https://${testHosts.page}/end?x=1&&y`,
    });
  });

  it('returns the redirect when it may not follow any', async () => {
    redirectTo(() => 'https://www.foreign.test/');
    expect(await network.fetchText(page())).toMatchObject({
      status: 302,
      headers: { location: 'https://www.foreign.test/' },
    });
  });

  it('gives up on a loop after three redirects', async () => {
    let requested = 0;
    origin.handle = (_request, response) => {
      requested += 1;
      response.writeHead(302, { location: '/again' }).end();
    };
    expect((await failureOf(network.fetchText(page('/', { maxRedirects: 10 })))).key).toBe('platform_failed');
    expect(requested).toBe(4);
  });

  it('names the unknown host to which a redirect leads', async () => {
    redirectTo(() => 'https://www.foreign.test/');
    expect((await failureOf(network.fetchText(page('/', { maxRedirects: 3 })))).key).toBe('platform_failed');
    expect(events.at(-1)).toMatchObject({ hosts: 'x/page', refusedHost: 'www.foreign.test' });
  });

  it.each([
    'https://www.foreign.test/',
    'http://www.platform.test/',
    'https://www.platform.test:8443/',
    'https://user@www.platform.test/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://2130706433/',
    '//localhost/',
    'file:///etc/passwd',
  ])('does not follow a redirect to %s', async (location) => {
    const resolved: string[] = [];
    const watched = testNetwork(origin, {
      resolveAddress: async (host) => {
        resolved.push(host);
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    redirectTo(() => location);
    expect((await failureOf(watched.fetchText(page('/', { maxRedirects: 3 })))).key).toBe('platform_failed');
    expect(resolved).toEqual([testHosts.page]);
    await watched.close();
  });
});

overEach('addresses', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '0.0.0.0',
  ])('never connects to %s, whatever the name resolver says', async (address) => {
    // Without the tests' own `allowAddress`: this is the check of the product.
    const guarded = createPlatformNetwork({
      hosts: testLists,
      proxy: {},
      resolveAddress: async () => [{ address, family: address.includes(':') ? 6 : 4 }],
      loopback: { ca: origin.ca, portOf: () => origin.port },
    });
    const before = origin.connections;
    const failure = await failureOf(guarded.fetchText(page()));
    expect(failure.key).toBe('platform_failed');
    expect((failure.cause as { code?: string }).code).toBe('ERR_PRIVATE_ADDRESS');
    expect(origin.connections).toBe(before);
    await guarded.close();
  });

  it('asks the resolver again for each connection, so changing a name gains nothing', async () => {
    const answers = ['127.0.0.1', '10.0.0.1'];
    const rebound = testNetwork(origin, {
      resolveAddress: async () => [{ address: answers.shift() ?? '10.0.0.1', family: 4 }],
    });
    origin.handle = (_request, response) => response.end('x');
    expect((await rebound.fetchText(page())).body.toString()).toBe('x');
    for (const socket of origin.open) socket.destroy();
    expect((await failureOf(rebound.fetchText(page()))).key).toBe('platform_failed');
    await rebound.close();
  });
});
