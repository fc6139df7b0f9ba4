import { describe, expect, it } from 'vitest';
import { testHosts } from '../network/testing/origin.ts';
import type { RelayResult } from './relay.ts';
import { fakeMp4, serveFile } from './testing/media-server.ts';
import { copying, file, setUpVideoSource, source } from './testing/video-fixture.ts';
import type { OpenedVideo } from './video.ts';

const setup = setUpVideoSource();

/** Reads the body into memory; returns what arrived and how it ended. */
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
    setup.origin.handle = serveFile(file);
    const video = await setup.open({ range });
    expect(video).toMatchObject({ status, start, length, size: file.length });
    const { bytes, result, clean } = await passOn(video);
    expect(bytes.equals(file.subarray(start, start + length))).toBe(true);
    expect(result).toMatchObject({ outcome: 'complete', bytes: length, resumes: 0 });
    expect(clean).toBe(true);
  });

  it.each(['bytes=600000-', 'bytes=700000-800000', 'bytes=-0'])('cannot satisfy Range %j', async (range) => {
    setup.origin.handle = serveFile(file);
    expect(await setup.open({ range })).toMatchObject({ status: 416, size: file.length });
  });

  it('reads only the metadata for HEAD', async () => {
    const requested: unknown[] = [];
    setup.origin.handle = serveFile(file, (_count, request) => {
      requested.push(request.headers.range);
      return {};
    });
    expect(await setup.open({ head: true })).toMatchObject({
      status: 200,
      size: file.length,
      length: file.length,
    });
    expect(await setup.open({ head: true, range: 'bytes=-5' })).toMatchObject({
      status: 206,
      start: 599_995,
      length: 5,
    });
    expect(requested).toEqual(['bytes=0-11', 'bytes=0-11']);
  });

  it('honours If-Range', async () => {
    setup.origin.handle = serveFile(file);
    const etagOf = (size: number | null) => `"clip-${size}"`;
    const same = await setup.open({ range: 'bytes=5-9', ifRange: '"clip-600000"', etagOf });
    expect(same).toMatchObject({ status: 206, start: 5, length: 5, etag: '"clip-600000"' });
    same.close();
    const other = await setup.open({ range: 'bytes=5-9', ifRange: '"clip-1"', etagOf });
    expect(other).toMatchObject({ status: 200, start: 0, length: file.length });
    other.close();
    const unknown = await setup.open({ range: 'bytes=5-9', ifRange: '"clip-1"' });
    expect(unknown.status).toBe(200);
    unknown.close();
  });

  it('sends the whole file when the platform ignores ranges', async () => {
    setup.origin.handle = serveFile(file, () => ({ ignoreRange: true }));
    const video = await setup.open({ range: 'bytes=1000-1999' });
    expect(video).toMatchObject({ status: 200, start: 0, length: file.length });
    expect((await passOn(video)).bytes.equals(file)).toBe(true);
    const begin = await setup.open({ range: 'bytes=0-99' });
    expect(begin).toMatchObject({ start: 0 });
    expect((await passOn(begin)).bytes.equals(file.subarray(0, begin.length ?? 0))).toBe(true);
  });

  it('uses v19 when v16 answers 403', async () => {
    setup.origin.handle = serveFile(file, (_count, request) =>
      request.headers.host === testHosts.media
        ? {
            instead: (response) =>
              response.writeHead(403, { 'content-type': 'video/mp4' }).end('Access Denied'),
          }
        : {},
    );
    expect((await passOn(await setup.open())).bytes.equals(file)).toBe(true);
  });

  it('reads the post again once when every address is refused', async () => {
    let refreshed = 0;
    const refresh = async () => {
      refreshed += 1;
      return { ...source, urls: [`https://${testHosts.media}/fresh`] };
    };
    setup.origin.handle = serveFile(file, (_count, request) =>
      request.url === '/fresh' ? {} : { instead: (response) => response.writeHead(403).end() },
    );
    expect((await passOn(await setup.open({ refresh }))).bytes.equals(file)).toBe(true);
    expect(refreshed).toBe(1);

    setup.origin.handle = (_request, response) => response.writeHead(403).end();
    await expect(setup.open({ refresh })).rejects.toMatchObject({ key: 'media_unavailable' });
    expect(refreshed).toBe(2);
  });

  it('does not read the post again when the connection is broken', async () => {
    setup.origin.handle = (_request, response) => response.socket?.destroy();
    const refresh = () => Promise.reject(new Error('asked'));
    await expect(setup.open({ refresh })).rejects.toMatchObject({ key: 'media_unavailable' });
  });

  it.each([
    ['something else', Buffer.alloc(1000, 65)],
    ['a playlist', Buffer.from('#EXTM3U\n#EXT-X-VERSION:3\n')],
    ['a few bytes', Buffer.from('\0\0')],
  ])('refuses %s', async (_name, other) => {
    setup.origin.handle = serveFile(other);
    await expect(setup.open()).rejects.toMatchObject({ key: 'media_invalid' });
    await expect(setup.open({ range: 'bytes=0-1' })).rejects.toMatchObject({ key: 'media_invalid' });
  });

  it('tries the next address before it refuses', async () => {
    setup.origin.handle = serveFile(file, (_count, request) =>
      request.headers.host === testHosts.media ? { file: Buffer.alloc(1000, 65) } : {},
    );
    expect((await passOn(await setup.open())).bytes.equals(file)).toBe(true);
  });
});

describe('when the platform breaks off', () => {
  it.each(['reset', 'end', 'stall'] as const)('resumes after a %s', async (ending) => {
    const requested: unknown[] = [];
    setup.origin.handle = serveFile(file, (count, request) => {
      requested.push(request.headers.range);
      return count < 2 ? { after: 150_000, ending } : {};
    });
    const { bytes, result, clean } = await passOn(await setup.open({ range: 'bytes=0-' }));
    expect(bytes.equals(file)).toBe(true);
    expect(clean).toBe(true);
    expect(result).toMatchObject({ outcome: 'complete', resumes: 2 });
    expect(requested.length).toBe(3);
  });

  it('stays inside the range that the client requested', async () => {
    setup.origin.handle = serveFile(file, (count) => (count === 0 ? { after: 1000, ending: 'reset' } : {}));
    const { bytes, result } = await passOn(await setup.open({ range: 'bytes=100000-499999' }));
    expect(bytes.equals(file.subarray(100_000, 500_000))).toBe(true);
    expect(result.outcome).toBe('complete');
  });

  it('switches to the next address when the first one does not return', async () => {
    setup.origin.handle = serveFile(file, (count, request) => {
      if (count === 0) return { after: 200_000, ending: 'reset' };
      return request.headers.host === testHosts.media ? { instead: (r) => r.socket?.destroy() } : {};
    });
    expect((await passOn(await setup.open())).bytes.equals(file)).toBe(true);
  });

  it('reads the post again when the addresses expire in the middle', async () => {
    setup.origin.handle = serveFile(file, (count, request) => {
      if (count === 0) return { after: 200_000, ending: 'reset' };
      return request.url === '/fresh' ? {} : { instead: (r) => r.writeHead(403).end() };
    });
    const refresh = async () => ({ ...source, urls: [`https://${testHosts.mirror}/fresh`] });
    expect((await passOn(await setup.open({ refresh }))).bytes.equals(file)).toBe(true);
  });

  it('drops what it has already sent when the server starts from the beginning', async () => {
    setup.origin.handle = serveFile(file, (count) =>
      count === 0 ? { after: 200_000, ending: 'reset' } : { ignoreRange: true },
    );
    expect((await passOn(await setup.open())).bytes.equals(file)).toBe(true);
  });

  it('never mixes two files, and never ends cleanly without the last byte', async () => {
    setup.origin.handle = serveFile(file, (count) =>
      count === 0 ? { after: 200_000, ending: 'reset' } : { file: fakeMp4(600_001) },
    );
    const { bytes, result, clean } = await passOn(await setup.open());
    expect(clean).toBe(false);
    expect(result).toMatchObject({ outcome: 'broken', resumes: 0 });
    expect(bytes.length).toBeLessThan(file.length);
    expect(bytes.equals(file.subarray(0, bytes.length))).toBe(true);
  });

  it('gives up after a few attempts without progress', async () => {
    let requested = 0;
    setup.origin.handle = serveFile(file, () => {
      requested += 1;
      return { after: 100, ending: 'reset' };
    });
    const { result, clean } = await passOn(await setup.open());
    expect(clean).toBe(false);
    expect(result.outcome).toBe('broken');
    expect(requested).toBeLessThan(12);
  });

  it('cannot resume a file of unknown size', async () => {
    setup.origin.handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' });
      response.write(file.subarray(0, 1000), () => response.socket?.destroy());
    };
    const video = await setup.open();
    expect(video).toMatchObject({ size: null, length: null, status: 200 });
    expect((await passOn(video)).clean).toBe(false);
  });

  it('passes on a file of unknown size that ends cleanly', async () => {
    setup.origin.handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' });
      response.end(file);
    };
    const { bytes, clean } = await passOn(await setup.open());
    expect(bytes.equals(file)).toBe(true);
    expect(clean).toBe(true);
  });
});
