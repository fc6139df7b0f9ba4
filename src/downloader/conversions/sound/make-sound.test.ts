import { afterAll, describe, expect, it } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import type { Cut } from '../../cutting/cut.ts';
import type { ByteSource, Mp3Encoder } from '../../media/contracts.ts';
import { mp3Length } from '../../media/mp3/fit.ts';
import { WasmEncoder } from '../../media/mp3/wasm/wasm-encoder.ts';
import { readMovie } from '../../media/mp4/read-movie.ts';
import { Mp4IndexCache } from '../../media/mp4-index-cache.ts';
import { id3v2Length } from '../../media/sniff-sound.ts';
import { planSound } from '../../media/sound-plan.ts';
import type { CoverPicture } from '../../media/tags.ts';
import { BufferSource, collect } from '../../media/testing/buffer-source.ts';
import { buildMp4 } from '../../media/testing/mp4-builder.ts';
import { toneAdts, toneFrames } from '../../media/testing/tone.ts';
import type { MediaSource, Post } from '../../post/post.ts';
import type { TicketSound } from '../../tickets/ticket-file.ts';
import type { PreparedFile } from '../source.ts';
import { createSoundMaker } from './make-sound.ts';

const signal = new AbortController().signal;
const encoder = new WasmEncoder({ workers: 1 });
afterAll(() => encoder.close());

const sourceAt = (url: string): MediaSource => ({ urls: [url], headers: {}, expiresAt: 0 });
const videoAt = (url: string) => ({
  codec: 'h264' as const,
  width: 720,
  height: 1280,
  bytes: null,
  bitrate: null,
  tracks: 'unknown' as const,
  quality: null,
  soundId: null,
  source: sourceAt(url),
});

const post = (values: Partial<Post> = {}): Post => ({
  platform: 'tiktok',
  id: '7300000000000000001',
  url: 'https://www.tiktok.com/@someone/video/7300000000000000001',
  kind: 'video',
  author: { handle: 'someone', name: 'Some One' },
  title: 'A title',
  durationS: 3,
  cover: null,
  createdAt: null,
  videos: [videoAt('v')],
  separateSounds: [],
  pictures: [],
  sound: null,
  song: null,
  soundMeasured: false,
  savingAllowed: true,
  readBy: 'page',
  ...values,
});

const slideshow = post({
  kind: 'photos',
  videos: [],
  sound: { container: null, durationS: 2.5, source: sourceAt('s') },
  song: { title: 'original sound - Some One', artist: 'Some One', isOriginal: true, cover: null },
});

interface Settings {
  /** The file at an address; the same for all, unless it is a function. */
  file: Buffer | ((address: string) => Buffer);
  post?: Post;
  cover?: CoverPicture | null;
  encoders?: Mp3Encoder[];
  /** Wraps the file, to make it fail. */
  wrap?: (source: ByteSource, refresh: (signal: AbortSignal) => Promise<MediaSource>) => ByteSource;
}

function setUp({
  file,
  post: subject = post(),
  cover = null,
  encoders = [encoder],
  wrap = (source) => source,
}: Settings) {
  const resolved: boolean[] = [];
  const sourceOf = (address: string) => new BufferSource(typeof file === 'function' ? file(address) : file);
  const source = sourceOf('v');
  const opened: string[] = [];
  const movies = new Mp4IndexCache();
  const maker = createSoundMaker({
    resolver: {
      async resolve(_reference, _signal, { fresh = false } = {}) {
        resolved.push(fresh);
        return subject;
      },
    },
    openSource: ({ urls: [address = ''] }, refresh) => {
      opened.push(address);
      return wrap(typeof file === 'function' ? sourceOf(address) : source, refresh);
    },
    movies,
    encoders,
    readCover: async () => cover,
  });
  const prepare = (format: TicketSound['format'], fast = false, cut?: Cut): Promise<PreparedFile> =>
    maker.prepare({
      work: { kind: 'sound', format, post: { platform: 'tiktok', id: subject.id }, cut },
      visitor: 'a',
      progress() {},
      fast,
      signal,
    });
  return { prepare, resolved, opened, source, movies, subject };
}

async function keyOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no failure',
    (error) => (error instanceof Failure ? error.key : String(error)),
  );
}

const mp4 = buildMp4({ frames: toneFrames });
const movieOf = (file: Buffer) => readMovie(new BufferSource(file), signal);

describe('the sound of a video', () => {
  it('needs no tables from the time when the post was read', async () => {
    const { prepare, source } = setUp({ file: mp4 });
    const first = await collect((await prepare('mp3')).chunks);
    const { bytesRead } = source;
    const sameVideo = setUp({ file: mp4 });
    const [video] = sameVideo.subject.videos;
    if (video === undefined) throw new Error('no video');
    await sameVideo.movies.read(video.source, new BufferSource(mp4), signal);
    const prepared = await sameVideo.prepare('mp3');
    expect(sameVideo.source.bytesRead).toBe(0);
    expect((await collect(prepared.chunks)).equals(first)).toBe(true);
    expect(sameVideo.source.bytesRead).toBeLessThan(bytesRead);
  });

  it('as mp3 has exactly the promised bytes: our tag, then 128 kbit/s frames', async () => {
    const { prepare, source } = setUp({
      file: mp4,
      cover: { mime: 'image/jpeg', bytes: Buffer.alloc(500, 1) },
    });
    const sound = await prepare('mp3');
    const read = source.bytesRead;
    const bytes = await collect(sound.chunks);
    expect(bytes.length).toBe(sound.length);
    expect(read).toBeLessThan(mp4.length);
    const tag = id3v2Length(bytes);
    expect(bytes.subarray(0, tag).includes(Buffer.from('A title'))).toBe(true);
    expect(bytes.subarray(0, tag).includes(Buffer.from('Some One'))).toBe(true);
    expect(bytes.subarray(0, tag).includes(Buffer.alloc(500, 1))).toBe(true);
    expect(bytes.length - tag).toBe(mp3Length(planSound(await movieOf(mp4)).facts));
    expect(bytes.readUInt16BE(tag)).toBe(0xfffb);
  });

  it.each(['mp3', 'm4a'] as const)(
    "carries the song's name in an %s when it is somebody else's",
    async (format) => {
      const song = { title: 'Leicht – „Sommer“', artist: 'Ümläut „Söhne“', isOriginal: false, cover: null };
      const wide = (text: string) => Buffer.from(text, format === 'mp3' ? 'utf16le' : 'utf8');
      const namesIn = async (subject: Post) => {
        const { prepare } = setUp({ file: mp4, post: subject });
        const bytes = await collect((await prepare(format)).chunks);
        return [song.title, song.artist].map((text) => bytes.includes(wide(text)));
      };
      expect(await namesIn(post({ song }))).toEqual([true, true]);
      expect(await namesIn(post({ song: { ...song, isOriginal: true } }))).toEqual([false, false]);
    },
  );

  it('as m4a has the promised bytes and the same frames', async () => {
    const sound = await setUp({ file: mp4 }).prepare('m4a');
    const bytes = await collect(sound.chunks);
    expect(bytes.length).toBe(sound.length);
    const [made, original] = [await movieOf(bytes), await movieOf(mp4)];
    expect(made.sound.samples.count).toBe(original.sound.samples.count);
    expect([...made.sound.samples.sizes]).toEqual([...original.sound.samples.sizes]);
    expect(bytes.includes(toneFrames[5] ?? Buffer.alloc(0))).toBe(true);
  });

  it('has another validator exactly when the bytes may differ', async () => {
    const first = await setUp({ file: mp4 }).prepare('mp3');
    const same = await setUp({ file: mp4 }).prepare('mp3');
    expect(same.etag).toBe(first.etag);
    const others = await Promise.all([
      setUp({ file: mp4 }).prepare('mp3', true),
      setUp({ file: mp4 }).prepare('m4a'),
      setUp({ file: mp4, post: post({ title: 'B title' }) }).prepare('mp3'),
      setUp({ file: buildMp4({ frames: toneFrames.slice(1) }) }).prepare('mp3'),
    ]);
    expect(new Set([first, ...others].map(({ etag }) => etag)).size).toBe(5);
  });

  it('is refused for a video without sound, and for a file that is not an mp4', async () => {
    const silent = buildMp4({ frames: toneFrames, sound: false });
    expect(await keyOf(setUp({ file: silent }).prepare('mp3'))).toBe('sound_missing');
    expect(await keyOf(setUp({ file: mp4, post: post({ videos: [] }) }).prepare('m4a'))).toBe(
      'sound_missing',
    );
    const playlist = Buffer.from('#EXTM3U\nfile:///etc/passwd\n');
    expect(await keyOf(setUp({ file: playlist }).prepare('mp3'))).toBe('media_invalid');
  });

  it('is the song when a song takes the place of the video', async () => {
    expect((await setUp({ file: toneAdts }).prepare('mp3')).length).toBeGreaterThan(0);
    expect(await keyOf(setUp({ file: toneAdts }).prepare('m4a'))).toBe('option_missing');
  });

  it('fails before its first byte when the encoder fails at once', async () => {
    const broken: Mp3Encoder = {
      name: 'ffmpeg',
      canEncode: () => true,
      // biome-ignore lint/correctness/useYield: it fails before
      async *encode() {
        throw new Failure('conversion_failed');
      },
      async warm() {},
      async close() {},
    };
    const sound = await setUp({ file: mp4, encoders: [broken] }).prepare('mp3');
    expect(await keyOf(collect(sound.chunks))).toBe('conversion_failed');
    const none = { ...broken, canEncode: () => false };
    expect(await keyOf(setUp({ file: mp4, encoders: [none] }).prepare('mp3'))).toBe('conversion_failed');
  });

  it('reads the post again when its addresses have expired', async () => {
    const { prepare, resolved } = setUp({
      file: mp4,
      wrap: (source, refresh) => ({
        size: source.size,
        hasRanges: true,
        async read(offset, length, readSignal) {
          expect(await refresh(readSignal)).toEqual(sourceAt('v'));
          return source.read(offset, length, readSignal);
        },
        stream: (start, end, streamSignal) => source.stream(start, end, streamSignal),
        whole: (streamSignal) => source.whole(streamSignal),
      }),
    });
    await prepare('m4a');
    expect(resolved.slice(0, 2)).toEqual([false, true]);
  });

  it('stops reading the cover when the sound cannot be read', async () => {
    let stopped = false;
    const maker = createSoundMaker({
      resolver: { resolve: async () => post() },
      openSource: () => new BufferSource(Buffer.from('no mp4')),
      movies: new Mp4IndexCache(),
      encoders: [],
      readCover: (_post, coverSignal) =>
        new Promise((_resolve, reject) => {
          coverSignal.addEventListener('abort', () => {
            stopped = true;
            reject(coverSignal.reason);
          });
        }),
    });
    const prepared = maker.prepare({
      work: { kind: 'sound', format: 'mp3', post: post() },
      visitor: 'a',
      progress() {},
      fast: false,
      signal,
    });
    expect(await keyOf(prepared)).toBe('media_invalid');
    expect(stopped).toBe(true);
  });
});

describe('the sound of a video with separate sound', () => {
  const alone = buildMp4({ frames: toneFrames.slice(0, 50), pictureBytes: 0 });
  const apart = (id: string, address = 's') => ({
    id,
    bytes: null,
    bitrate: null,
    source: sourceAt(address),
  });
  const picture = { ...videoAt('p'), tracks: 'picture' as const, soundId: 'b' };
  const beside = post({ videos: [videoAt('v'), picture], separateSounds: [apart('a'), apart('b', 'named')] });
  const page = Buffer.from('<!doctype html><title>no</title>');
  const silent = buildMp4({ frames: toneFrames, sound: false });

  const framesOf = async (file: Buffer) => (await movieOf(file)).sound.samples.count;
  const made = async ({ prepare }: ReturnType<typeof setUp>) =>
    framesOf(await collect((await prepare('m4a')).chunks));

  it('comes from its own file: fewer bytes hold all of it', async () => {
    const set = setUp({ file: (address) => (address === 's' ? alone : mp4), post: beside });
    expect(await made(set)).toBe(50);
    expect(set.opened).toEqual(['s']);
    const tagged = await collect((await set.prepare('mp3')).chunks);
    expect(tagged.subarray(0, id3v2Length(tagged)).includes(Buffer.from('A title'))).toBe(true);
  });

  it('is the one that belongs to the picture, when no file is whole', async () => {
    const only = post({ ...beside, videos: [picture] });
    const set = setUp({ file: (address) => (address === 'named' ? alone : page), post: only });
    expect(await made(set)).toBe(50);
    expect(set.opened).toEqual(['named']);
  });

  it('comes from the next file when its own cannot be read', async () => {
    const set = setUp({ file: (address) => (address === 'v' ? mp4 : page), post: beside });
    expect(await made(set)).toBe(toneFrames.length);
    expect(set.opened).toEqual(['s', 'named', 'v']);
    const fragmented = buildMp4({ frames: toneFrames, fragmented: true });
    const other = setUp({ file: (address) => (address === 'v' ? mp4 : fragmented), post: beside });
    expect(await made(other)).toBe(toneFrames.length);
  });

  it('comes from another file when the first is silent', async () => {
    const both = post({ videos: [videoAt('silent'), { ...videoAt('v'), width: 576, height: 1024 }] });
    const set = setUp({ file: (address) => (address === 'v' ? mp4 : silent), post: both });
    expect(await made(set)).toBe(toneFrames.length);
  });

  it('is not reported as missing when the platform measured one', async () => {
    const measured = post({ soundMeasured: true });
    expect(await keyOf(setUp({ file: silent, post: measured }).prepare('mp3'))).toBe('sound_unsupported');
    const lost = post({ videos: [picture], soundMeasured: true });
    expect(await keyOf(setUp({ file: silent, post: lost }).prepare('mp3'))).toBe('sound_unsupported');
    const none = post({ videos: [picture] });
    expect(await keyOf(setUp({ file: silent, post: none }).prepare('mp3'))).toBe('sound_missing');
    expect(await keyOf(setUp({ file: page, post: beside }).prepare('mp3'))).toBe('media_invalid');
  });

  it('is found again after the post is read again', async () => {
    const { prepare } = setUp({
      file: () => alone,
      post: beside,
      wrap: (source, refresh) => ({
        size: source.size,
        hasRanges: true,
        async read(offset, length, readSignal) {
          expect(await refresh(readSignal)).toEqual(sourceAt('s'));
          return source.read(offset, length, readSignal);
        },
        stream: (start, end, streamSignal) => source.stream(start, end, streamSignal),
        whole: (streamSignal) => source.whole(streamSignal),
      }),
    });
    await prepare('m4a');
  });
});

describe('the sound of a slideshow', () => {
  it('is converted when it is an mp4 or raw AAC', async () => {
    for (const file of [mp4, toneAdts]) {
      const sound = await setUp({ file, post: slideshow }).prepare('mp3');
      const bytes = await collect(sound.chunks);
      expect(bytes.length).toBe(sound.length);
      expect(bytes.readUInt16BE(id3v2Length(bytes))).toBe(0xfffb);
    }
  });

  it('stays as it is when it is an mp3, with our tag in place of its own', async () => {
    const made = await collect((await setUp({ file: mp4 }).prepare('mp3')).chunks);
    const frames = made.subarray(id3v2Length(made));
    const v1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 0x20)]);
    for (const file of [made, frames, Buffer.concat([made, v1])]) {
      const sound = await setUp({ file, post: slideshow }).prepare('mp3');
      const bytes = await collect(sound.chunks);
      expect(bytes.length).toBe(sound.length);
      expect(bytes.subarray(id3v2Length(bytes)).equals(frames)).toBe(true);
    }
    expect(await keyOf(setUp({ file: made, post: slideshow }).prepare('m4a'))).toBe('option_missing');
  });

  it('is refused when there is none, and when the file is not a sound', async () => {
    expect(await keyOf(setUp({ file: mp4, post: { ...slideshow, sound: null } }).prepare('mp3'))).toBe(
      'sound_missing',
    );
    const page = Buffer.from('<!doctype html><title>no</title>');
    expect(await keyOf(setUp({ file: page, post: slideshow }).prepare('mp3'))).toBe('media_invalid');
  });
});

describe('cuts of one sound', () => {
  const cutAt = (fromMs: number): Cut => ({ fromMs, toMs: fromMs + 700, isRingtone: false });
  /** The sound in pieces of half a second, with pictures between them. */
  const interleaved = buildMp4({ frames: toneFrames, interleaveS: 0.5, pictureBytes: 150_000 });

  it('fetch each part of the sound once, and nothing of the picture', async () => {
    const { prepare, source } = setUp({ file: interleaved });
    const whole = planSound(await movieOf(interleaved), { latencyMs: 0 });
    for (let n = 0; n < 100; n++) await collect((await prepare('m4a', false, cutAt(n * 20))).chunks);
    const sound = source.reads.filter(({ offset }) => offset >= (whole.runs[0]?.start ?? 0));
    expect(sound.length).toBeLessThanOrEqual(whole.runs.length);
    expect(sound.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(whole.bytesToFetch);
    expect(source.reads.length - sound.length).toBeLessThanOrEqual(2);
  });

  it('have the bytes that each alone has, also when they are made at the same time', async () => {
    for (const file of [interleaved, mp4, toneAdts]) {
      const alone: Buffer[] = [];
      for (const at of [0, 330, 1000])
        alone.push(
          await collect(
            (
              await setUp({ file, post: file === toneAdts ? slideshow : post() }).prepare(
                'mp3',
                false,
                cutAt(at),
              )
            ).chunks,
          ),
        );
      const { prepare, source } = setUp({ file, post: file === toneAdts ? slideshow : post() });
      const together = await Promise.all(
        [0, 330, 1000].map(async (at) => collect((await prepare('mp3', false, cutAt(at))).chunks)),
      );
      expect(together.map((made, n) => made.equals(alone[n] ?? Buffer.alloc(0)))).toEqual([true, true, true]);
      const before = source.reads.length;
      await collect((await prepare('mp3', false, cutAt(500))).chunks);
      if (file === toneAdts) expect(source.reads.length).toBe(before);
    }
  });
});
