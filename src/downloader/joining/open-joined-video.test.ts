import { beforeEach, describe, expect, it } from 'vitest';
import { testHosts } from '../network/testing/origin.ts';
import { fakeMp4 } from '../streaming/testing/media-server.ts';
import { cleanUpClips, clipS, complaints, hasFfmpeg, makeClip, probe } from './testing/clips.ts';
import { type PartPlan, passOn, setUpJoining } from './testing/join-fixture.ts';
import { buildTableClip, type TableClip } from './testing/table-clip.ts';

const setup = setUpJoining();
cleanUpClips();

/** A minute of meaningless samples. */
function minute(
  kind: TableClip['kind'],
  samplesPerS: number,
  size: number,
  more: Partial<TableClip> = {},
): Buffer {
  return buildTableClip({
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
    ...more,
  });
}

const files = { picture: minute('vide', 30, 400), sound: minute('soun', 43, 150) };
let whole: Buffer = Buffer.alloc(0);

beforeEach(async () => {
  if (whole.length > 0) return;
  setup.serve(files);
  whole = await joinOnce();
  setup.asked = [];
});

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
    setup.serve(files);
    const video = await setup.open({ range });
    const start = first < 0 ? whole.length + first : first;
    const length = count ?? whole.length - start;
    expect(video).toMatchObject({ status, start, length, size: whole.length });
    const { bytes, clean, result } = await passOn(video);
    expect(bytes.equals(whole.subarray(start, start + length))).toBe(true);
    expect(clean).toBe(true);
    expect(result).toMatchObject({ outcome: 'complete', bytes: length, resumes: 0 });
  });

  it('cannot satisfy a range behind the end', async () => {
    setup.serve(files);
    expect(await setup.open({ range: `bytes=${whole.length}-` })).toMatchObject({
      status: 416,
      size: whole.length,
    });
  });

  it('reads the heads of both at once, and then where the samples begin', async () => {
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
    const facts = { size: whole.length, length: whole.length, start: 0, status: 200 };
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
    setup.serve({ ...files, sound: minute('soun', 43, 151) });
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

  it('refuses a sound that is empty or refused, and a picture as well', async () => {
    const refuse: PartPlan = () => ({ instead: (response) => response.writeHead(403).end() });
    for (const part of ['picture', 'sound'] as const) {
      setup.serve({ ...files, [part]: Buffer.alloc(0) });
      await expect(setup.open()).rejects.toMatchObject({ key: 'media_invalid' });
      setup.serve(files, { [part]: refuse });
      await expect(setup.open()).rejects.toMatchObject({ key: 'media_unavailable' });
    }
  });

  it('takes the next address when the first one has something else', async () => {
    const plan: PartPlan = (_count, { headers }) =>
      headers.host === testHosts.media ? { file: Buffer.alloc(100_000, 'x') } : {};
    setup.serve(files, { picture: plan, sound: plan });
    expect((await joinOnce()).equals(whole)).toBe(true);
  });

  it('reads the post again when the addresses have expired', async () => {
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
    expect((await passOn(video)).bytes.equals(whole)).toBe(true);
  });
});

describe('when the platform breaks off', () => {
  const places = [0, 1, 40_000, 65_536, 100_000, 200_000];
  for (const part of ['picture', 'sound'] as const) {
    it.each(['reset', 'end', 'stall'] as const)(`picks the ${part} up after a %s`, async (ending) => {
      for (const after of places) {
        // The first answer for the head, then the first for the samples.
        for (const broken of [0, 1]) {
          setup.serve(files, { [part]: (count: number) => (count === broken ? { after, ending } : {}) });
          const { bytes, clean } = await passOn(await setup.open());
          expect([after, broken, clean, bytes.equals(whole)]).toEqual([after, broken, true, true]);
        }
      }
    });

    it(`never mixes two files, and never ends cleanly without the last byte of the ${part}`, async () => {
      const other = Buffer.concat([files[part], Buffer.alloc(1)]);
      setup.serve(files, {
        [part]: (count: number) => {
          if (count === 0) return {};
          return count === 1 ? { after: 50_000, ending: 'reset' } : { file: other };
        },
      });
      const { bytes, clean, result } = await passOn(await setup.open());
      expect(clean).toBe(false);
      expect(result.outcome).toBe('broken');
      expect(bytes.equals(whole.subarray(0, bytes.length))).toBe(true);
    });

    it(`breaks off when the ${part} ends early where nobody said how long it is`, async () => {
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

  it('goes on with another address', async () => {
    const plan: PartPlan = (count, { headers }) => {
      if (count === 1) return { after: 30_000, ending: 'reset' };
      return count > 1 && headers.host === testHosts.media ? { instead: (r) => r.socket?.destroy() } : {};
    };
    setup.serve(files, { picture: plan, sound: plan });
    expect((await joinOnce()).equals(whole)).toBe(true);
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

describe.runIf(hasFfmpeg)('real clips', () => {
  const flags = {
    'tables first': ['+faststart'],
    'tables last': [''],
    'fragments from their moof on': [
      '+frag_keyframe+empty_moov+default_base_moof',
      '-frag_duration',
      '1000000',
    ],
    'fragments from the file on': ['+frag_keyframe+empty_moov', '-frag_duration', '1500000'],
    'fragments with an index': ['+dash+global_sidx', '-frag_duration', '2000000'],
    'fragments with indexes': ['+dash', '-frag_duration', '2000000'],
    'tables, then fragments': ['+frag_keyframe', '-frag_duration', '1000000'],
  } satisfies Record<string, [string, ...string[]]>;
  type Shape = keyof typeof flags;
  const clips = new Map<string, Buffer>();
  function clip(kind: 'picture' | 'sound', shape: Shape): Buffer {
    const key = `${kind} ${shape}`;
    const [movflags = '', ...more]: string[] = flags[shape];
    const made = clips.get(key) ?? makeClip(kind, movflags, ...more);
    clips.set(key, made);
    return made;
  }

  const pairs: [Shape, Shape][] = [
    ['tables first', 'tables last'],
    ['tables last', 'tables first'],
    ['tables first', 'fragments from their moof on'],
    ['tables first', 'fragments with an index'],
    ['fragments from their moof on', 'tables last'],
    ['fragments from the file on', 'fragments from the file on'],
    ['fragments with an index', 'fragments with an index'],
    ['fragments with an index', 'tables first'],
    ['fragments with indexes', 'tables, then fragments'],
    ['tables, then fragments', 'fragments with indexes'],
  ];
  it.each(pairs)('picture: %s; sound: %s: every packet of both, at its time', async (pictures, sounds) => {
    const originals = { picture: clip('picture', pictures), sound: clip('sound', sounds) };
    setup.serve(originals);
    const video = await setup.open();
    const { bytes, clean } = await passOn(video);
    expect([clean, bytes.length]).toEqual([true, video.size]);
    expect(video.hasRanges).toBe([pictures, sounds].every((shape) => /^tables \w+$|index$/.test(shape)));
    expect(complaints(bytes)).toBe('');
    const [picture, sound, ...more] = probe(bytes);
    expect(more).toEqual([]);
    expect(picture?.packets).toEqual(probe(originals.picture)[0]?.packets);
    expect(sound?.packets).toEqual(probe(originals.sound)[0]?.packets);
    expect(picture?.durationS).toBeCloseTo(clipS, 1);
    expect(sound?.durationS).toBeCloseTo(clipS, 1);
  });
});
