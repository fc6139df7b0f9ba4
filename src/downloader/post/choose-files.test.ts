import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { samplePost, separateSound, size720, size1080, variant } from '../options/testing/sample-post.ts';
import { type ChosenVideo, chooseFiles, type KnownFiles, nothingKnown, soundFiles } from './choose-files.ts';
import type { Post } from './post.ts';

const name = (chosen: ChosenVideo | null) =>
  chosen === null
    ? null
    : [chosen.picture.source.urls[0], chosen.sound?.id].filter((part) => part !== undefined).join(' + ');

function chosen(values: Partial<Post>, known?: KnownFiles): [string | null, string | null] {
  const forwards = chooseFiles(samplePost(values), known);
  const { videos = [] } = values;
  const backwards = chooseFiles(samplePost({ ...values, videos: videos.toReversed() }), known);
  const names = [name(forwards.default), name(forwards.hd)] as [string | null, string | null];
  expect([name(backwards.default), name(backwards.hd)]).toEqual(names);
  return names;
}

const sound = separateSound('own');
const separateSounds = [sound];
const whole576 = variant('whole576', { bitrate: 500_000 });
const whole720 = variant('whole720', { ...size720, bitrate: 600_000 });
const whole1080 = variant('whole1080', { ...size1080, codec: 'h265', bitrate: 700_000 });
const picture = { tracks: 'picture', soundId: 'own' } as const;
const dash720 = variant('dash720', { ...size720, ...picture, bitrate: 900_000 });
const dash1080 = variant('dash1080', { ...size1080, ...picture, codec: 'h265', bitrate: 900_000 });

describe('among whole files', () => {
  const hevc720 = variant('hevc720', { ...size720, codec: 'h265' });
  const large = variant('large', { ...size1080 });
  test.each<[string, Partial<Post>, [string | null, string | null]]>([
    [
      'the best H.264 of up to 720p, and what is above it',
      { videos: [whole576, whole720, whole1080] },
      ['whole720', 'whole1080'],
    ],
    ['H.264 before H.265 of its size', { videos: [hevc720, whole720] }, ['whole720', null]],
    ['H.265 above the default', { videos: [hevc720, whole576] }, ['whole576', 'hevc720']],
    ['the smallest H.264 when all are large', { videos: [large, whole1080] }, ['large', null]],
    [
      'H.264 for HD, whatever H.265 has in bits',
      { videos: [whole720, { ...whole1080, bitrate: 9e6 }, large] },
      ['whole720', 'large'],
    ],
    ['the largest H.265 where there is nothing else', { videos: [hevc720, whole1080] }, ['whole1080', null]],
    [
      'a file without a size rather than none',
      { videos: [variant('unsized', { width: 0, height: 0 }), whole1080] },
      ['unsized', 'whole1080'],
    ],
    [
      'the short side, whichever way it is held',
      { videos: [variant('wide', { width: 1280, height: 720 }), whole576] },
      ['wide', null],
    ],
    ['nothing of nothing', {}, [null, null]],
  ])('%s', (_, values, names) => expect(chosen(values)).toEqual(names));
});

describe('between files of one size', () => {
  const at = (address: string, quality: number | null, values = {}) =>
    variant(address, { ...size1080, codec: 'h265', quality, ...values });
  test.each<[string, Partial<Post>, string]>([
    [
      'the better score, with fewer bits',
      { videos: [at('worse', 82, { bitrate: 9 }), at('better', 94, { bitrate: 5 })] },
      'better',
    ],
    [
      'the better score, in the newer codec',
      { videos: [at('worse', 82, { codec: 'h264' }), at('better', 94)] },
      'better',
    ],
    [
      'H.264, where only one has a score',
      { videos: [at('plain', null, { codec: 'h264' }), at('scored', 99)] },
      'plain',
    ],
    [
      'more bits, where only one has a score',
      { videos: [at('more', null, { bitrate: 9 }), at('scored', 99, { bitrate: 5 })] },
      'more',
    ],
    [
      'more bits, where the scores are equal',
      { videos: [at('more', 90, { bitrate: 9 }), at('fewer', 90, { bitrate: 5 })] },
      'more',
    ],
    [
      'what is said to be whole before what is not',
      { videos: [at('said', null), at('unsaid', null, { tracks: 'unknown', bitrate: 9 })] },
      'said',
    ],
    [
      'the whole one, whatever the score of a picture',
      { videos: [at('whole', 50), at('picture', 99, picture)], separateSounds },
      'whole',
    ],
    [
      'the picture of the better score',
      { videos: [at('worse', 82, { ...picture, bitrate: 9 }), at('better', 94, picture)], separateSounds },
      'better + own',
    ],
  ])('%s', (_, { videos = [], ...values }, expected) => {
    expect(chosen({ ...values, videos: [whole576, ...videos] })[1]).toBe(expected);
  });
});

describe('pictures without sound', () => {
  test.each<[string, Partial<Post>, [string | null, string | null]]>([
    [
      'never take the place of a whole default',
      { videos: [dash720, whole720], separateSounds },
      ['whole720', null],
    ],
    [
      'are HD with the sound that belongs to them',
      { videos: [whole720, dash1080], separateSounds },
      ['whole720', 'dash1080 + own'],
    ],
    [
      'are HD in H.264 above a smaller whole file',
      { videos: [whole576, dash720], separateSounds },
      ['whole576', 'dash720 + own'],
    ],
    ['are no HD without any sound', { videos: [whole720, dash1080] }, ['whole720', null]],
    [
      'leave HD to a smaller whole file, without any sound',
      { videos: [whole576, { ...whole720, codec: 'h265' }, dash1080] },
      ['whole576', 'whole720'],
    ],
    [
      'go before a smaller whole HD, with their sound',
      { videos: [whole576, { ...whole720, codec: 'h265' }, dash1080], separateSounds },
      ['whole576', 'dash1080 + own'],
    ],
    [
      'leave HD to a whole file of their size',
      { videos: [whole720, whole1080, dash1080], separateSounds },
      ['whole720', 'whole1080'],
    ],
    [
      'are the default where nothing is whole',
      { videos: [dash720, dash1080], separateSounds },
      ['dash720 + own', 'dash1080 + own'],
    ],
    [
      'in H.264 are the default before a whole H.265',
      { videos: [{ ...whole1080 }, dash720], separateSounds },
      ['dash720 + own', 'whole1080'],
    ],
    [
      'in H.265 are no default beside a whole one',
      { videos: [{ ...whole720, codec: 'h265' }, dash1080], separateSounds },
      ['whole720', 'dash1080 + own'],
    ],
    ['are all there is of a post without sound', { videos: [dash720, dash1080] }, ['dash720', 'dash1080']],
    [
      'are not offered in more pixels where the sound is lost',
      { videos: [dash720, dash1080], soundMeasured: true },
      ['dash720', null],
    ],
  ])('%s', (_, values, names) => expect(chosen(values)).toEqual(names));

  it('use the sound that they name, or the best usable one', () => {
    const sounds = [separateSound('best'), separateSound('named')];
    const videos = [whole720, { ...dash1080, soundId: 'named' }];
    const known = (unusable: string): KnownFiles => ({
      ...nothingKnown,
      isUsable: ({ id }) => id !== unusable,
    });
    expect(chosen({ videos, separateSounds: sounds })[1]).toBe('dash1080 + named');
    expect(chosen({ videos, separateSounds: sounds }, known('named'))[1]).toBe('dash1080 + best');
    expect(chosen({ videos: [whole720, { ...dash1080, soundId: null }], separateSounds: sounds })[1]).toBe(
      'dash1080 + best',
    );
    expect(chosen({ videos, separateSounds }, known('own'))[1]).toBeNull();
  });

  it('are given up for the next best when they cannot be joined', () => {
    const known: KnownFiles = { ...nothingKnown, canJoin: (one) => one !== dash1080 };
    expect(
      chosen({ videos: [whole576, { ...whole720, codec: 'h265' }, dash1080], separateSounds }, known),
    ).toEqual(['whole576', 'whole720']);
  });

  it('are classified by their own boxes, whatever the post says', () => {
    const known: KnownFiles = {
      ...nothingKnown,
      tracksOf: ({ source }) =>
        source.urls[0] === 'whole720' ? 'picture' : source.urls[0] === 'dash1080' ? 'whole' : null,
    };
    expect(chosen({ videos: [whole576, whole720, dash1080] }, known)).toEqual(['whole576', 'dash1080']);
  });
});

test('converts the sound from the fewest bytes that contain it', () => {
  const files = (values: Partial<Post>) => {
    const post = samplePost(values);
    return soundFiles(post, chooseFiles(post)).map((file) => file.source.urls[0]);
  };
  const two = [separateSound('best'), sound];
  expect(files({ videos: [whole576, whole720] })).toEqual(['whole720', 'whole576']);
  expect(files({ videos: [whole720, dash1080], separateSounds })).toEqual(['sound own', 'whole720']);
  expect(files({ videos: [dash720], separateSounds: two })).toEqual(['sound own', 'sound best']);
  expect(files({ videos: [dash720] })).toEqual([]);
});

test('chooses, whatever a post lists, a file with sound if any has it, and HD above the default', () => {
  const tracks = fc.constantFrom('whole' as const, 'picture' as const, 'unknown' as const);
  const videos = fc.array(
    fc
      .record({
        tracks,
        codec: fc.constantFrom('h264' as const, 'h265' as const),
        width: fc.constantFrom(0, 576, 720, 1080),
        bitrate: fc.option(fc.nat(5)),
        quality: fc.option(fc.nat(5)),
      })
      .map((values) => variant('any', { ...values, height: values.width * 2 })),
    { maxLength: 6 },
  );
  const sounds = fc.array(fc.constant(sound), { maxLength: 1 });
  fc.assert(
    fc.property(videos, sounds, fc.boolean(), (files, apart, soundMeasured) => {
      const post = samplePost({ videos: files, separateSounds: apart, soundMeasured });
      const { default: standard, hd, hasSound } = chooseFiles(post);
      const isSounding = (one: ChosenVideo | null) =>
        one !== null && (one.sound !== null || one.picture.tracks !== 'picture');
      expect(standard === null).toBe(files.length === 0);
      expect(hasSound).toBe(files.some((file) => file.tracks !== 'picture' || apart.length > 0));
      if (hasSound) expect(isSounding(standard)).toBe(true);
      if (hd === null) return;
      expect(isSounding(hd)).toBe(hasSound);
      expect(hd.picture.width).toBeGreaterThan(standard?.picture.width ?? 0);
      for (const one of [standard, hd])
        expect(one?.sound === null).toBe(one?.picture.tracks !== 'picture' || apart.length === 0);
    }),
  );
});
