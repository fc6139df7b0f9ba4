import { beforeEach, describe, expect, it } from 'vitest';
import { testHosts, until } from '../network/testing/origin.ts';
import { fakeMp4 } from '../streaming/testing/media-server.ts';
import { copying } from '../streaming/testing/video-fixture.ts';
import { buildFragmentClip, type FragmentClip } from './testing/fragment-clip.ts';
import { type PartPlan, passOn, setUpJoining } from './testing/join-fixture.ts';
import { buildTableClip, type TableClip } from './testing/table-clip.ts';

const setup = setUpJoining();

/** A minute of meaningless samples. */
const minute = (kind: TableClip['kind'], samplesPerS: number, size: number): TableClip => ({
  kind,
  timescale: samplesPerS,
  samples: Array.from({ length: 60 * samplesPerS }, (_, n) => ({
    size: size + (n % 17),
    duration: 1,
    offset: 0,
    isSync: n % 60 === 0,
    gap: 0,
    beginsChunk: n % 20 === 0,
  })),
  edit: null,
  moov: 'first',
});
const inFragments = (clip: TableClip, index: FragmentClip['index']) =>
  buildFragmentClip({
    ...clip,
    samplesEach: 2 * clip.timescale,
    from: 'file',
    hasTime: true,
    index,
    otherBytes: 0,
    hasTrailer: true,
  });
const [seen, heard] = [minute('vide', 30, 400), minute('soun', 43, 150)];
const pairs = {
  tables: { picture: buildTableClip(seen), sound: buildTableClip(heard) },
  'fragments with an index': { picture: inFragments(seen, 'all'), sound: inFragments(heard, 'all') },
  'fragments without one': { picture: inFragments(seen, 'none'), sound: inFragments(heard, 'none') },
};
type Shape = keyof typeof pairs;
const files = pairs.tables;
const wholes = new Map<Shape, Buffer>();

beforeEach(async () => {
  if (wholes.size > 0) return;
  for (const shape of Object.keys(pairs) as Shape[]) {
    setup.serve(pairs[shape]);
    wholes.set(shape, await joinOnce());
  }
  setup.asked = [];
});

const wholeOf = (shape: Shape) => wholes.get(shape) ?? Buffer.alloc(0);
const whole = {
  get bytes() {
    return wholeOf('tables');
  },
};

async function joinOnce(): Promise<Buffer> {
  const { bytes, clean } = await passOn(await setup.open());
  if (!clean) throw new Error('broke off');
  return bytes;
}

describe('before the first byte', () => {
  it.each([
    [undefined, 200, 0, null],
    ['bytes=0-', 206, 0, null],
    ['bytes=0-0', 206, 0, 1],
    ['bytes=100-199', 206, 100, 100],
    ['bytes=500000-700000', 206, 500_000, 200_001],
    ['bytes=-1', 206, -1, 1],
    ['bytes=-100000', 206, -100_000, 100_000],
    ['nonsense', 200, 0, null],
  ])('answers Range %j', async (range, status, first, count) => {
    for (const shape of ['tables', 'fragments with an index'] as const) {
      setup.serve(pairs[shape]);
      const video = await setup.open({ range });
      const whole = wholeOf(shape);
      const start = first < 0 ? whole.length + first : first;
      const length = count ?? whole.length - start;
      expect(video).toMatchObject({ status, start, length, size: whole.length, hasRanges: true });
      const { bytes, clean, result } = await passOn(video);
      expect(bytes.equals(whole.subarray(start, start + length))).toBe(true);
      expect(clean).toBe(true);
      expect(result).toMatchObject({ outcome: 'complete', bytes: length, resumes: 0 });
    }
  });

  it('returns the whole file for any range when the order of fragments is found on the way', async () => {
    setup.serve(pairs['fragments without one']);
    const video = await setup.open({ range: 'bytes=100-199' });
    const { length } = wholeOf('fragments without one');
    expect(video).toMatchObject({
      status: 200,
      start: 0,
      length,
      size: length,
      etag: null,
      hasRanges: false,
    });
    expect((await passOn(video)).bytes.length).toBe(length);
  });

  it('does not know how long fragments are when the server does not say', async () => {
    const shape = 'fragments without one';
    const plan =
      (file: Buffer): PartPlan =>
      () => ({
        instead: (response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end(file),
      });
    const { picture, sound } = pairs[shape];
    setup.serve(pairs[shape], { picture: plan(picture), sound: plan(sound) });
    const video = await setup.open();
    expect(video).toMatchObject({ status: 200, length: null, size: null });
    const { bytes, clean } = await passOn(video);
    expect([clean, bytes.equals(wholeOf(shape))]).toEqual([true, true]);
  });

  it('asks servers that ignore ranges once for the picture, and for the tables and all of the sound', async () => {
    const ignoring: PartPlan = () => ({ ignoreRange: true });
    for (const shape of Object.keys(pairs) as Shape[]) {
      setup.asked = [];
      setup.serve(pairs[shape], { picture: ignoring, sound: ignoring });
      expect((await joinOnce()).equals(wholeOf(shape))).toBe(true);
      expect(setup.asked.map(({ part }) => part).sort()).toEqual(['picture', 'sound', 'sound']);
    }
  });

  it('cannot satisfy a range behind the end', async () => {
    setup.serve(files);
    expect(await setup.open({ range: `bytes=${whole.bytes.length}-` })).toMatchObject({
      status: 416,
      size: whole.bytes.length,
    });
  });

  it('reads the heads of both at once, then where the samples begin', async () => {
    setup.serve(files);
    const video = await setup.open({ range: 'bytes=900000-' });
    const [one, other, ...more] = setup.asked;
    expect([one?.part, other?.part].sort()).toEqual(['picture', 'sound']);
    expect([one?.range, other?.range]).toEqual(['bytes=0-65535', 'bytes=0-65535']);
    expect(more).toHaveLength(2);
    video.close();
  });

  it('reads only the heads for HEAD', async () => {
    setup.serve(files);
    const facts = { size: whole.bytes.length, length: whole.bytes.length, start: 0, status: 200 };
    expect(await setup.open({ head: true })).toMatchObject(facts);
    expect(setup.asked).toHaveLength(2);
  });

  it('honours If-Range by a strong validator that follows from both files', async () => {
    setup.serve(files);
    const { etag } = await setup.open({ head: true });
    expect(etag).toMatch(/^"[^"]+"$/);
    const open = (ifRange: string) => setup.open({ head: true, range: 'bytes=5-9', ifRange });
    expect(await open(etag ?? '')).toMatchObject({ status: 206, start: 5, length: 5, etag });
    expect(await open('"another"')).toMatchObject({ status: 200, start: 0, etag });
    setup.serve({ ...files, sound: buildTableClip(minute('soun', 43, 151)) });
    expect((await setup.open({ head: true })).etag).not.toBe(etag);
    expect(await open(etag ?? '')).toMatchObject({ status: 200, start: 0 });
  });

  const whatElse: [string, Buffer][] = [
    ['a page', Buffer.from('<!doctype html><title>Access Denied</title>')],
    ['a playlist', Buffer.from('#EXTM3U\n#EXT-X-VERSION:3\n')],
    ['cut in half', files.sound.subarray(0, files.sound.length / 2)],
    ['cut by a byte', files.sound.subarray(0, -1)],
    ['without tables', fakeMp4(200_000)],
    ['a picture', files.picture],
  ];
  it.each(whatElse)('refuses a sound that is %s', async (_name, sound) => {
    setup.serve({ ...files, sound });
    await expect(setup.open()).rejects.toMatchObject({ key: 'media_invalid' });
    await expect(setup.open({ head: true })).rejects.toMatchObject({ key: 'media_invalid' });
  });

  it('refuses an empty or refused sound, and such a picture too', async () => {
    const refuse: PartPlan = () => ({ instead: (response) => response.writeHead(403).end() });
    for (const part of ['picture', 'sound'] as const) {
      setup.serve({ ...files, [part]: Buffer.alloc(0) });
      await expect(setup.open()).rejects.toMatchObject({ key: 'media_invalid' });
      setup.serve(files, { [part]: refuse });
      await expect(setup.open()).rejects.toMatchObject({ key: 'media_unavailable' });
    }
  });

  it('uses the next address when the first has another file', async () => {
    const plan: PartPlan = (_count, { headers }) =>
      headers.host === testHosts.media ? { file: Buffer.alloc(100_000, 'x') } : {};
    setup.serve(files, { picture: plan, sound: plan });
    expect((await joinOnce()).equals(whole.bytes)).toBe(true);
  });

  it('reads the post again after its addresses expired', async () => {
    const expired: PartPlan = (_count, { url }) =>
      url?.includes('fresh') ? {} : { instead: (response) => response.writeHead(403).end() };
    setup.serve(files, { picture: expired, sound: expired });
    const part = (name: string) => ({
      source: { urls: [`https://${testHosts.media}/${name}`], headers: {}, expiresAt: 0 },
      refresh: async () => ({
        urls: [`https://${testHosts.media}/${name}-fresh`],
        headers: {},
        expiresAt: 0,
      }),
    });
    const video = await setup.open({ picture: part('picture'), sound: part('sound') });
    expect((await passOn(video)).bytes.equals(whole.bytes)).toBe(true);
  });
});

describe('when the platform breaks off', () => {
  const places = [0, 40_000, 65_536, 200_000];
  for (const part of ['picture', 'sound'] as const) {
    it.each(['reset', 'end', 'stall'] as const)(`resumes the ${part} after a %s`, async (ending) => {
      for (const shape of Object.keys(pairs) as Shape[]) {
        // A stall lasts as long as the product waits for it.
        for (const after of ending === 'stall' ? [70_000] : places) {
          // The first response is for the head, the second for the samples.
          for (const broken of ending === 'stall' ? [1] : [0, 1]) {
            setup.serve(pairs[shape], {
              [part]: (count: number) => (count === broken ? { after, ending } : {}),
            });
            const { bytes, clean } = await passOn(await setup.open());
            const isSame = bytes.equals(wholeOf(shape));
            expect([shape, after, broken, clean, isSame]).toEqual([shape, after, broken, true, true]);
          }
        }
      }
    });

    it(`never mixes two files, and never ends cleanly without the last byte of the ${part}`, async () => {
      const other = Buffer.concat([files[part], Buffer.alloc(1)]);
      setup.serve(files, {
        [part]: (count: number) => {
          // The picture continues after its head, the sound requests its next window.
          const last = part === 'picture' ? 0 : 1;
          if (count < last) return {};
          return count === last ? { after: 100_000, ending: 'reset' } : { file: other };
        },
      });
      const { bytes, clean, result } = await passOn(await setup.open());
      expect(clean).toBe(false);
      expect(result.outcome).toBe('broken');
      expect(bytes.equals(whole.bytes.subarray(0, bytes.length))).toBe(true);
    });

    it(`breaks off when the ${part} ends early and its length is unknown`, async () => {
      const plan: PartPlan = (count) => ({
        instead: (response) => {
          response.writeHead(200, { 'content-type': 'video/mp4' });
          response.end(files[part].subarray(0, count === 0 ? 65_536 : 50_000));
        },
      });
      setup.serve(files, { [part]: plan });
      const { clean, result } = await passOn(await setup.open());
      expect(clean).toBe(false);
      expect(result.outcome).toBe('broken');
    });
  }

  it('resumes however often both break off, as long as each attempt brings bytes', async () => {
    const plan: PartPlan = () => ({ after: 90_000, ending: 'reset' });
    setup.serve(files, { picture: plan, sound: plan });
    const { bytes, clean, result } = await passOn(await setup.open());
    expect([clean, bytes.equals(whole.bytes)]).toEqual([true, true]);
    expect(result.resumes).toBeGreaterThan(8);
  });

  it('waits for a client that reads nothing, and resumes when connections were closed meanwhile', async () => {
    setup.serve({ picture: buildTableClip(minute('vide', 30, 12_000)), sound: files.sound });
    const video = await setup.open();
    const target = copying();
    const passing = video.pipeTo(target);
    await until(() => target.readableLength > 0 && target.writableLength > 0);
    for (const socket of setup.origin.open) socket.destroy();
    let bytes = 0;
    for await (const chunk of target) bytes += chunk.length;
    expect(bytes).toBe(video.size);
    expect(await passing).toMatchObject({ outcome: 'complete', bytes });
  });

  it('resumes with another address', async () => {
    const plan: PartPlan = (count, { headers }) => {
      if (count === 1) return { after: 30_000, ending: 'reset' };
      return count > 1 && headers.host === testHosts.media ? { instead: (r) => r.socket?.destroy() } : {};
    };
    setup.serve(files, { picture: plan, sound: plan });
    expect((await joinOnce()).equals(whole.bytes)).toBe(true);
  });
});

describe('files of other shapes', () => {
  it('drops what lies between the samples', async () => {
    const scattered = (kind: TableClip['kind'], size: number, gap: number): TableClip => ({
      kind,
      timescale: 10,
      samples: Array.from({ length: 100 }, (_, n) => ({
        size,
        duration: 1,
        offset: 0,
        isSync: true,
        gap: n % 10 === 0 ? gap : 0,
        beginsChunk: false,
      })),
      edit: null,
      moov: 'last',
    });
    const pair = (gap: number) => ({
      picture: buildTableClip(scattered('vide', 3000, gap)),
      sound: buildTableClip(scattered('soun', 90, gap)),
    });
    setup.serve(pair(0));
    const samples = (bytes: Buffer) => bytes.subarray(bytes.indexOf('mdat'));
    const dense = samples(await joinOnce());
    for (const gap of [1000, 400_000]) {
      setup.serve(pair(gap));
      expect(samples(await joinOnce()).equals(dense)).toBe(true);
    }
  });

  it('closes its connections when the client leaves', async () => {
    setup.serve(files, { picture: (count) => (count === 0 ? {} : { after: 100_000, ending: 'stall' }) });
    const stop = new AbortController();
    const video = await setup.open({ signal: stop.signal });
    const passing = passOn(video);
    stop.abort(new Error('left'));
    expect((await passing).result.outcome).toBe('left');
  });
});
