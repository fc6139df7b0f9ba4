import { describe, expect, it } from 'vitest';
import { writeM4a } from './m4a.ts';
import { readMovie } from './mp4/read-movie.ts';
import { readSound } from './read-sound.ts';
import { planSound } from './sound-plan.ts';
import { BufferSource, collect } from './testing/buffer-source.ts';
import { buildMp4, framesOfAdts, type Mp4Options } from './testing/mp4-builder.ts';
import { toneFrames } from './testing/tone.ts';

const { signal } = new AbortController();
const tags = {
  title: 'Grüße 你好 🎉\nsecond line',
  artist: 'someone',
  sourceUrl: 'https://www.tiktok.com/@someone/video/7412345678901234567',
  cover: { mime: 'image/jpeg' as const, bytes: Buffer.from([0xff, 0xd8, 0xff, 0xd9]) },
};

async function made(options: Partial<Mp4Options> = {}) {
  const source = new BufferSource(buildMp4({ frames: toneFrames, ...options }));
  const movie = await readMovie(source, signal);
  const plan = planSound(movie);
  const file = writeM4a(source, movie, plan, tags, { signal });
  return { plan, file, bytes: await collect(file.chunks), source };
}

describe('writeM4a', () => {
  it.each([
    ['usual', {}],
    ['fine interleave', { interleaveS: 0.03, pictureBytes: 900 }],
    ['moov last', { moov: 'last' as const }],
    ['one chunk', { frames: toneFrames.slice(0, 43) }],
  ])(
    'keeps every frame unchanged, at the announced length: %s',
    async (_name, options: Partial<Mp4Options>) => {
      const { file, bytes } = await made(options);
      expect(bytes.length).toBe(file.length);
      const again = new BufferSource(bytes);
      const movie = await readMovie(again, signal);
      // Tables first, so that it plays while it arrives.
      expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
      const adts = await collect(readSound(again, movie, planSound(movie), { signal }).frames);
      const frames = framesOfAdts(adts);
      expect(Buffer.concat(frames).equals(Buffer.concat([...(options.frames ?? toneFrames)]))).toBe(true);
    },
  );

  it('keeps start and length of the sound', async () => {
    const { plan, bytes } = await made({ edit: { mediaTime: 2112, durationS: 2 } });
    const movie = await readMovie(new BufferSource(bytes), signal);
    const facts = planSound(movie).facts;
    expect(facts.durationS).toBeCloseTo(plan.facts.durationS, 3);
    expect(facts.skipSamples).toBe(plan.facts.skipSamples);
    expect(facts.config).toEqual(plan.facts.config);
  });

  it('carries title, artist, source and cover', async () => {
    const { bytes } = await made();
    for (const text of ['Grüße 你好 🎉 second line', 'someone', tags.sourceUrl])
      expect(bytes.includes(text)).toBe(true);
    expect(bytes.includes(tags.cover.bytes)).toBe(true);
  });

  it('returns nothing before the sound can be read, and leaves nothing running', async () => {
    const bytes = buildMp4({ frames: toneFrames });
    const movie = await readMovie(new BufferSource(bytes), signal);
    const empty = new BufferSource(bytes.subarray(0, 64));
    const plan = planSound(movie);
    const file = writeM4a(empty, { ...movie, head: Buffer.alloc(0) }, plan, tags, { signal });
    await expect(file.chunks[Symbol.asyncIterator]().next()).rejects.toMatchObject({ key: 'media_invalid' });
    expect(empty.running).toBe(0);
  });
});
