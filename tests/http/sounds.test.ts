import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFacts, writeFacts } from '../../src/stores/embedded/folder-file.ts';
import { isAudit, sample } from '../support/audit/scope.ts';
import { originalPicture } from '../support/clips.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { readMp3 } from '../support/mp3.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';
import { makeDataFolder } from '../support/product.ts';
import { until } from '../support/until.ts';

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const hasFfmpeg = (process.env.PATH ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'ffmpeg')));

/** Mean volume in dB of an mp3 after a filter. */
function volume(mp3: Buffer, filter: string): number {
  const values = ['-hide_banner', '-i', 'pipe:0', '-af', `${filter},volumedetect`, '-f', 'null', '-'];
  const { stderr } = spawnSync('ffmpeg', values, { input: mp3, encoding: 'utf8' });
  return Number(/mean_volume: (-?[\d.]+) dB/.exec(stderr)?.[1] ?? Number.NaN);
}

const encoders = [
  { name: 'WebAssembly', env: { PATH: '/nowhere' }, there: true },
  { name: 'ffmpeg', env: {}, there: hasFfmpeg },
];

/** Reading a sound is the same for both encoders: with one of them everything is tried, with the other in the audit. */
const triedWith = hasFfmpeg ? 'ffmpeg' : 'WebAssembly';

for (const { name, env, there } of encoders)
  describe.skipIf(!there)(`with ${name}`, () => {
    let journey: Journey;
    beforeAll(async () => {
      journey = await startJourney({ env });
    });
    afterAll(() => journey.stop());

    const clips: readonly (readonly [string, number | null])[] = [
      ['ordinary', 7],
      ['long-60s', 60],
      ['moov-last', 20],
      ['fine-interleave', 60],
      ['sound-in-one-piece', null],
      ['very-short', 1],
      ['no-ranges', null],
    ];
    const ofBoth = ['ordinary'];
    const ofOne = ['moov-last', 'very-short', 'no-ranges'];
    test.each(
      sample(clips, ([post]) => ofBoth.includes(post) || (name === triedWith && ofOne.includes(post))),
    )('the mp3 of %s is whole, tagged and as long as the clip', async (post, seconds) => {
      const response = await journey.get(await journey.href(post, 'mp3'));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('audio/mpeg');
      const bytes = await bytesOf(response);
      expect(bytes).toHaveLength(Number(response.headers.get('content-length')));
      const mp3 = readMp3(bytes);
      expect([...mp3.bitrates]).toEqual([128]);
      expect(mp3.rest).toBe(0);
      if (seconds !== null) expect(Math.abs(mp3.durationS - seconds)).toBeLessThan(0.15);
      expect(mp3.tag.TIT2).toBeTruthy();
      expect(mp3.tag.TPE1).toBe('The Ferry Captain');
      expect(Number(mp3.tag.APIC)).toBeGreaterThan(1000);
    });

    test('the m4a is the original sound under its own name', async () => {
      const response = await journey.get(await journey.href('ordinary', 'm4a'));
      const bytes = await bytesOf(response);
      expect(bytes).toHaveLength(Number(response.headers.get('content-length')));
      expect(bytes.toString('latin1', 4, 11)).toBe('ftypM4A');
      expect(response.headers.get('content-disposition')).toMatch(/filename="?[\w.-]+\.m4a"?(?:;|$)/);
    });

    test.each(sample(['photos', 'photos-m4a'], (post) => post === 'photos-m4a' && name === triedWith))(
      'the sound of %s is an mp3 with our tag',
      async (post) => {
        const bytes = await bytesOf(await journey.get(await journey.href(post, 'mp3')));
        expect(readMp3(bytes).tag.TIT2).toBeTruthy();
      },
    );

    test.each(sample(['song', 'photos-song'], (post) => post === 'song' && name === triedWith))(
      'the sound of %s has the name and the cover of its song',
      async (post) => {
        const { answer } = await journey.resolve(post);
        const sound = { title: 'Harbour – „Lights“', artist: 'Ümläut & Söhne' };
        expect(answer).toMatchObject({ result: { post: { sound } } });
        const { tag } = readMp3(await bytesOf(await journey.get(await journey.href(post, 'mp3'))));
        expect([tag.TIT2, tag.TPE1]).toEqual([sound.title, sound.artist]);
        expect(Number(tag.APIC)).toBeGreaterThan(originalPicture('photos', 1).length);
      },
    );

    test('a clip without sound is an error and never an empty file', async () => {
      const href = (await journey.href('silent', 'mp4')).replace('.mp4.', '.mp3.');
      expect((await journey.get(href)).status).toBe(404);
      const { answer } = await journey.resolve('silent');
      expect('result' in answer && answer.result.options.map(({ id }) => id)).toEqual(['mp4']);
    });

    test.each(sample(['he-aac', 'he-aac-v2'], (post) => post === 'he-aac'))(
      'the sound of %s has its full band and both channels',
      async (post) => {
        // WebAssembly's decoder would make it mono; the m4a has all channels.
        if (name === 'WebAssembly' && post === 'he-aac-v2') return;
        const response = await journey.get(await journey.href(post, 'mp3'));
        const bytes = await bytesOf(response);
        expect(Math.abs(readMp3(bytes).durationS - 10)).toBeLessThan(0.15);
        if (!hasFfmpeg) return;
        // The clips have noise up to 22 kHz, different in each channel: -14 dB and -37 dB in the originals.
        expect(volume(bytes, 'highpass=f=13000')).toBeGreaterThan(-45);
        expect(volume(bytes, 'pan=mono|c0=c0-c1')).toBeGreaterThan(-25);
      },
    );

    test.each([
      ['he-aac-v2', name === 'ffmpeg'],
      ['mono-24k', name === 'ffmpeg'],
      ['surround', name === 'ffmpeg'],
    ])('an mp3 of %s is offered only if it can be made: %s', async (post, canBeMade) => {
      const { answer } = await journey.resolve(post);
      const offered = 'result' in answer ? answer.result.options.slice(1) : [];
      expect(offered.map(({ id }) => id)).toEqual(canBeMade ? ['mp3', 'm4a'] : ['m4a']);
      for (const { href } of offered) {
        const response = await journey.get(href);
        expect(response.status).toBe(200);
        expect(await bytesOf(response)).toHaveLength(Number(response.headers.get('content-length')));
      }
    });

    test.each(['sound-not-aac', 'fragmented'])(
      'the sound of %s is unavailable, and nothing is recommended instead',
      async (post) => {
        const { answer } = await journey.resolve(post);
        expect('result' in answer && answer.result.options.map(({ id }) => id)).toEqual(['mp4']);
        // A page for sound only states the reason.
        const form = new URLSearchParams({ url: journey.platform.link(post) });
        const page = await journey.get('/download-mp3-tiktok', { method: 'POST', body: form });
        expect(await page.text()).toContain('in a format we can’t convert');
      },
    );

    const counted: readonly (readonly [string, string])[] = [
      ['parts-counted', 'gives parts no more'],
      ['ranges-counted', 'gives nothing but the whole file'],
    ];
    test.runIf(isAudit).each(counted)(
      'a server of %s that %s in the middle leaves no gap in the sound',
      async (post) => {
        const sound = (bytes: Buffer) => bytes.subarray(-900_000);
        const good = await bytesOf(await journey.get(await journey.href('long-60s', 'mp3')));
        const before = await journey.product.metric('clipferry_sounds_read_total', { fallback: 'refused' });
        const response = await journey.get(await journey.href(post, 'mp3'));
        const bytes = await bytesOf(response);
        expect(bytes).toHaveLength(Number(response.headers.get('content-length')));
        expect(sound(bytes).equals(sound(good))).toBe(true);
        const { metric } = journey.product;
        expect(await metric('clipferry_sounds_read_total', { fallback: 'refused' })).toBe(before + 1);
        expect(await metric('clipferry_sound_requests_total')).toBeGreaterThan(40);
        expect(await metric('clipferry_sound_bytes_saved_total')).toBeGreaterThan(5_000_000);
      },
    );

    test('fetches the sound and not the picture', { skip: name !== triedWith && !isAudit }, async () => {
      await journey.platform.reset();
      const post = 'long-60s-hd';
      await bytesOf(await journey.get(await journey.href(post, 'mp3')));
      const { byPost } = await journey.platform.stats();
      const soundBytes = 60 * 16_000;
      expect(byPost[post]?.bytesSent).toBeLessThan(1.3 * soundBytes + 200_000 + 400_000);
    });
  });

describe('a conversion', () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({ env: { CONVERSIONS: '1', CONVERSIONS_WAITING: '1' } });
  });
  afterAll(() => journey.stop());

  const stateOf = async (href: string) =>
    ((await (await journey.get(`${href}/status`)).json()) as { result: { state: string } }).result.state;

  test('reports its progress, is kept, and supports ranges when it is done', async () => {
    const href = await journey.href('long-60s', 'mp3');
    expect(await stateOf(href)).toBe('idle');
    const events = await journey.get(`${href}/status`, { headers: { accept: 'text/event-stream' } });
    const first = await bytesOf(await journey.get(href));
    const reported = await events.text();
    expect(reported).toMatch(/^event: status\ndata: \{"state":"idle"/);
    expect(reported).toMatch(
      /event: status\ndata: \{"state":"done","ahead":null,"progress":1,"bytes":\d+,"error":null\}\n\n$/,
    );
    expect(await stateOf(href)).toBe('done');
    const again = await journey.get(href, { headers: { range: 'bytes=100-199' } });
    expect(again.status).toBe(206);
    expect((await bytesOf(again)).equals(first.subarray(100, 200))).toBe(true);
    expect(await journey.product.metric('clipferry_conversions_asked_total', { how: 'kept' })).toBe(1);
  });

  test('a finished mp3 has ranges, validators and HEAD like a file', async () => {
    const href = await journey.href('no-h265', 'mp3');
    const unmade = await journey.get(href, { method: 'HEAD' });
    expect(unmade.status).toBe(200);
    expect(unmade.headers.get('content-length')).toBeNull();
    expect(await stateOf(href)).toBe('idle');
    // While it is being made there are no ranges; a range request gets the whole file.
    const first = await journey.get(href, { headers: { range: 'bytes=5-9' } });
    expect([first.status, first.headers.get('accept-ranges')]).toEqual([200, 'none']);
    const whole = await bytesOf(first);
    const etag = first.headers.get('etag') ?? '';

    await until('it is kept', async () => (await stateOf(href)) === 'done');
    const head = await journey.get(href, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(whole.length));
    expect(head.headers.get('accept-ranges')).toBe('bytes');
    for (const [range, start, end] of [
      ['bytes=0-9', 0, 10],
      ['bytes=-100', -100, undefined],
      [`bytes=${whole.length - 1}-`, -1, undefined],
    ] as const) {
      const part = await journey.get(href, { headers: { range, 'if-range': etag } });
      expect(part.status).toBe(206);
      expect((await bytesOf(part)).equals(whole.subarray(start, end))).toBe(true);
    }
    const other = await journey.get(href, { headers: { range: 'bytes=0-9', 'if-range': '"another"' } });
    expect([other.status, (await bytesOf(other)).equals(whole)]).toEqual([200, true]);
    const beyond = await journey.get(href, { headers: { range: `bytes=${whole.length}-` } });
    expect(beyond.status).toBe(416);
    expect(beyond.headers.get('content-range')).toBe(`bytes */${whole.length}`);
  });

  test('one visitor has one conversion at a time; another visitor does not wait for it', async () => {
    const other = await startJourney({
      platform: journey.platform,
      env: { CONVERSIONS: '2', TRUST_PROXY: '127.0.0.1', DOWNLOADS_AT_ONCE: '3' },
    });
    await journey.platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 2_000_000 } } });
    const from = (address: string, href: string) =>
      other.get(href, { headers: { 'x-forwarded-for': address } });
    const status = async (href: string) => {
      const { result } = (await (await other.get(`${href}/status`)).json()) as {
        result: { state: string; ahead: number | null };
      };
      return result;
    };
    const slow = await other.href('ten-minutes', 'mp3');
    const second = await other.href('very-short', 'mp3');
    const running = from('203.0.113.7', slow);
    await until('the first runs', async () => /reading|converting/.test((await status(slow)).state));
    const waiting = from('203.0.113.7', second);
    await until('the second waits', async () => (await status(second)).state === 'waiting');
    // Another visitor gets the free place.
    const elses = await from('203.0.113.8', await other.href('moov-last', 'mp3'));
    expect(await bytesOf(elses)).toHaveLength(Number(elses.headers.get('content-length')));
    expect((await status(second)).state).toBe('waiting');
    // Nobody cancels another visitor's conversion.
    const cancel = (address: string) =>
      other.get(`${slow}/status`, { method: 'DELETE', headers: { 'x-forwarded-for': address } });
    expect(await (await cancel('203.0.113.8')).json()).toMatchObject({ result: { cancelled: false } });
    // Nor can another visitor at the same address, who gets a separate response.
    const neighbours = await other.get(`${await other.href('ten-minutes', 'mp3')}/status`, {
      method: 'DELETE',
      headers: { 'x-forwarded-for': '203.0.113.7' },
    });
    expect(await neighbours.json()).toEqual({ code: 200, result: { cancelled: false } });
    expect(await (await cancel('203.0.113.7')).json()).toMatchObject({ result: { cancelled: true } });
    await running.then((response) => response.arrayBuffer()).catch(() => null);
    expect(readMp3(await bytesOf(await waiting)).frames).toBeGreaterThan(30);

    // Unread downloads: three for each visitor, without an effect on the next one.
    const large = await other.href('ten-minutes', 'mp4');
    const unread = await Promise.all([1, 2, 3].map(() => from('203.0.113.9', large)));
    expect(unread.map((response) => response.status)).toEqual([200, 200, 200]);
    const refused = await from('203.0.113.9', large);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await refused.json()).toMatchObject({ error: { key: 'downloads_limited' } });
    const small = await other.href('very-short', 'mp4');
    expect((await from('203.0.113.10', small)).status).toBe(200);
    await unread[0]?.body?.cancel();
    await until('its place is free', async () => (await from('203.0.113.9', small)).status === 200);
    await Promise.all(unread.map((response) => response.body?.cancel().catch(() => {})));

    // Nor may one visitor request more files at once, or watch more of them.
    const leaving = new AbortController();
    const requestFile = (path: string, accept = '*/*') =>
      other.get(path, { headers: { 'x-forwarded-for': '203.0.113.11', accept }, signal: leaving.signal });
    const late = await other.href('landscape', 'mp4');
    await journey.platform.configure({ posts: { landscape: { latencyMs: 20_000 } } });
    const videos = async () => (await journey.platform.stats()).byPost.landscape?.byKind.video ?? 0;
    const before = await videos();
    const asked = [1, 2, 3].map(() => requestFile(`${late}/ready`));
    await until('three files are asked for', async () => (await videos()) === before + 3);
    expect((await requestFile(`${late}/ready`)).status).toBe(429);
    const idle = `${await other.href('moov-last-fine', 'mp3')}/status`;
    const watched = await Promise.all([1, 2, 3].map(() => requestFile(idle, 'text/event-stream')));
    expect(watched.map((response) => response.status)).toEqual([200, 200, 200]);
    expect((await requestFile(idle, 'text/event-stream')).status).toBe(429);
    leaving.abort();
    await Promise.allSettled(asked);
    await other.stop();
  });

  test('only converted files have a status, and DELETE of nothing cancels nothing', async () => {
    const video = await journey.get(`${await journey.href('ordinary', 'mp4')}/status`);
    expect(video.status).toBe(404);
    expect(await video.json()).toMatchObject({ error: { key: 'ticket_invalid' } });
    const idle = await journey.get(`${await journey.href('only-576', 'mp3')}/status`, { method: 'DELETE' });
    expect(await idle.json()).toEqual({ code: 200, result: { cancelled: false } });
  });

  test('can be cancelled, waits behind another, and is refused when too many wait', async () => {
    await journey.platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 2_000_000 } } });
    const slow = await journey.href('ten-minutes', 'mp3');
    const second = await journey.href('moov-last', 'mp3');
    const third = await journey.href('very-short', 'mp3');
    const running = journey.get(slow);
    await until('the first runs', async () => /reading|converting/.test(await stateOf(slow)));
    const waiting = journey.get(second);
    await until('the second waits', async () => (await stateOf(second)) === 'waiting');
    const refused = await journey.get(third);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error: { key: 'queue_full' } });
    const cancelled = await journey.get(`${slow}/status`, { method: 'DELETE' });
    expect(await cancelled.json()).toEqual({ code: 200, result: { cancelled: true } });
    expect(await stateOf(slow)).toBe('cancelled');
    await running.then(async (response) => {
      if (response.ok) await expect(response.arrayBuffer()).rejects.toThrow();
      else expect(await response.json()).toMatchObject({ error: { key: 'conversion_cancelled' } });
    });
    expect(readMp3(await bytesOf(await waiting)).frames).toBeGreaterThan(700);
  });

  test('runs once for many simultaneous callers', async () => {
    const before = await journey.product.metric('clipferry_conversions_asked_total', { how: 'started' });
    const href = await journey.href('long-60s-hd', 'mp3');
    const files = await Promise.all(
      Array.from({ length: isAudit ? 100 : 30 }, async () => bytesOf(await journey.get(href))),
    );
    expect(new Set(files.map((file) => file.length)).size).toBe(1);
    expect(files.every((file) => file.equals(files[0] ?? Buffer.alloc(0)))).toBe(true);
    expect(await journey.product.metric('clipferry_conversions_asked_total', { how: 'started' })).toBe(
      before + 1,
    );
    expect((await journey.platform.stats()).byPost['long-60s-hd']?.byKind.page).toBe(1);
  });
});

describe.runIf(isAudit)('a finished conversion, after a restart,', () => {
  let folder: string;
  let href: string;
  let platform: PlatformProcess;
  beforeAll(async () => {
    platform = await startPlatform();
    folder = makeDataFolder();
    const first = await startJourney({ platform, dataFolder: folder });
    href = await first.href('very-short', 'mp3');
    await bytesOf(await first.get(href));
    await until('it is kept', () => kept().length === 1);
    await first.stop();
  });
  afterAll(async () => {
    await platform.stop();
    rmSync(folder, { recursive: true });
  });

  const kept = () => readdirSync(join(folder, 'expiring-files')).filter((name) => name.endsWith('.kept'));

  async function withRestarted(task: (journey: Journey) => Promise<void>): Promise<void> {
    const journey = await startJourney({ platform, dataFolder: folder });
    await task(journey).finally(() => journey.stop());
  }

  test('is served again, without requesting sound from the platform', () =>
    withRestarted(async (journey) => {
      await platform.reset();
      expect(readMp3(await bytesOf(await journey.get(href))).durationS).toBeGreaterThan(0.9);
      expect(await journey.product.metric('clipferry_conversions_asked_total', { how: 'kept' })).toBe(1);
      expect((await platform.stats()).byKind.video ?? 0).toBe(0);
    }));

  test('is deleted when it is older than an hour', async () => {
    const path = join(folder, 'expiring-files', kept()[0] ?? '');
    const key = basename(path, '.kept');
    const handle = await open(path, 'r+');
    const facts = await readFacts(handle, key);
    if (facts === null) throw new Error('not a kept file');
    await handle.write(writeFacts(key, { ...facts, madeAt: Date.now() - 3_600_000 }), 0, null, facts.length);
    await handle.close();
    await withRestarted(async (journey) => {
      expect(kept()).toEqual([]);
      expect((await journey.get(href)).status).toBe(200);
      expect(await journey.product.metric('clipferry_conversions_asked_total', { how: 'started' })).toBe(1);
    });
  });
});
