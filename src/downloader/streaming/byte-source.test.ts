import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PlatformNetwork } from '../network/contracts.ts';
import { type Origin, startOrigin, testHosts, testNetwork, until } from '../network/testing/origin.ts';
import type { MediaSource } from '../post/post.ts';
import { createRemoteByteSource, type RemoteByteSourceOptions } from './byte-source.ts';
import { fakeMp4, serveFile } from './testing/media-server.ts';

let origin: Origin;
let network: PlatformNetwork;
const file = fakeMp4(400_000);
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

const bytes = (options: Partial<RemoteByteSourceOptions> = {}) =>
  createRemoteByteSource({ network, source, ...options });
const all = async (stream: AsyncIterable<Uint8Array>) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

describe('read', () => {
  it('returns exactly the requested bytes, and fewer only at the end', async () => {
    origin.handle = serveFile(file);
    const remote = bytes();
    expect(remote.size).toBeNull();
    await fc.assert(
      fc.asyncProperty(fc.nat(420_000), fc.nat(50_000), async (offset, length) => {
        const read = await remote.read(offset, length, never);
        expect(read.equals(file.subarray(offset, offset + length))).toBe(true);
      }),
      { numRuns: 40 },
    );
    expect(remote.size).toBe(file.length);
  });

  it('returns nothing behind the end, also before the size is known', async () => {
    origin.handle = serveFile(file);
    expect((await bytes().read(400_000, 10, never)).length).toBe(0);
  });

  it('reads concurrently, each read across its own interruptions', async () => {
    origin.handle = serveFile(file, (count) => (count % 3 === 0 ? { after: 3000, ending: 'reset' } : {}));
    const remote = bytes();
    const offsets = Array.from({ length: 12 }, (_value, index) => index * 30_000);
    const reads = await Promise.all(offsets.map((offset) => remote.read(offset, 20_000, never)));
    for (const [index, read] of reads.entries()) {
      const offset = offsets[index] ?? 0;
      expect(read.equals(file.subarray(offset, offset + 20_000))).toBe(true);
    }
  });

  it('reuses its connection', async () => {
    origin.handle = serveFile(file);
    const remote = bytes();
    const before = origin.connections;
    for (let count = 0; count < 6; count += 1) await remote.read(count * 1000, 200_000, never);
    expect(origin.connections - before).toBeLessThanOrEqual(2);
  });

  it('works near the beginning on a server without ranges', async () => {
    origin.handle = serveFile(file, () => ({ ignoreRange: true }));
    const remote = bytes();
    expect((await remote.read(0, 1000, never)).equals(file.subarray(0, 1000))).toBe(true);
    expect((await remote.read(5000, 1000, never)).equals(file.subarray(5000, 6000))).toBe(true);
  });

  it('does not read far into a file on a server without ranges', async () => {
    const large = fakeMp4(9_000_000);
    origin.handle = serveFile(large, () => ({ ignoreRange: true }));
    await expect(bytes().read(8_500_000, 10, never)).rejects.toMatchObject({ key: 'media_unavailable' });
  });

  it('refuses a file of another size', async () => {
    origin.handle = serveFile(file, (count) => (count > 0 ? { file: fakeMp4(400_001) } : {}));
    const remote = bytes();
    await remote.read(0, 10, never);
    await expect(remote.read(10, 10, never)).rejects.toMatchObject({ key: 'media_unavailable' });
    await expect(bytes({ knownSize: 5 }).read(0, 3, never)).rejects.toMatchObject({
      key: 'media_unavailable',
    });
  });

  it('shares one refresh among reads that are refused together', async () => {
    let refreshed = 0;
    origin.handle = serveFile(file, (_count, request) =>
      request.url === '/fresh' ? {} : { instead: (response) => response.writeHead(403).end() },
    );
    const remote = bytes({
      refresh: async () => {
        refreshed += 1;
        return { ...source, urls: [`https://${testHosts.media}/fresh`] };
      },
    });
    const reads = await Promise.all([0, 100, 200].map((offset) => remote.read(offset, 100, never)));
    expect(Buffer.concat(reads).equals(file.subarray(0, 300))).toBe(true);
    expect(refreshed).toBe(1);
  });

  it('gives up eventually, and at once with the signal', async () => {
    origin.handle = serveFile(file, () => ({ after: 10, ending: 'reset' }));
    await expect(bytes().read(0, 100_000, never)).rejects.toMatchObject({ key: 'media_unavailable' });
    origin.handle = serveFile(file, () => ({ after: 10, ending: 'stall' }));
    const left = new AbortController();
    const reading = bytes().read(0, 1000, left.signal);
    await until(() => origin.open.size > 0);
    left.abort(new Error('left'));
    await expect(reading).rejects.toThrow('left');
  });
});

describe('stream', () => {
  it.each(['reset', 'end', 'stall'] as const)('resumes after a %s', async (ending) => {
    origin.handle = serveFile(file, (count) => (count < 2 ? { after: 120_000, ending } : {}));
    expect((await all(bytes().stream(0, null, never))).equals(file)).toBe(true);
  });

  it('returns a part', async () => {
    origin.handle = serveFile(file);
    const part = await all(bytes().stream(1000, 200_000, never));
    expect(part.equals(file.subarray(1000, 200_000))).toBe(true);
  });

  it('returns a file of unknown size', async () => {
    origin.handle = (_request, response) => {
      response.writeHead(200);
      response.end(file);
    };
    const remote = bytes();
    expect((await all(remote.stream(0, null, never))).equals(file)).toBe(true);
    expect(remote.size).toBeNull();
  });

  it('closes the connection when the reader stops early', async () => {
    origin.handle = serveFile(fakeMp4(20_000_000));
    for await (const chunk of bytes().stream(0, null, never)) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await until(() => origin.open.size === 0);
  });
});
