import { describe, expect, it } from 'vitest';
import { readMovie } from '../media/mp4/read-movie.ts';
import { readSound } from '../media/read-sound.ts';
import { planSound } from '../media/sound-plan.ts';
import { BufferSource, collect } from '../media/testing/buffer-source.ts';
import { clipS, complaints, hasFfmpeg, makeClip, type ProbedTrack, probe } from './testing/clips.ts';
import { passOn, setUpJoining } from './testing/join-fixture.ts';

const setup = setUpJoining();
const { signal } = new AbortController();

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
  type ClipShape = keyof typeof flags;
  const clips = new Map<string, Buffer>();
  function clip(kind: 'picture' | 'sound', shape: ClipShape): Buffer {
    const key = `${kind} ${shape}`;
    const [movflags = '', ...more]: string[] = flags[shape];
    const made = clips.get(key) ?? makeClip(kind, movflags, ...more);
    clips.set(key, made);
    return made;
  }

  const packets = new Map<string, ProbedTrack['packets'] | undefined>();
  function packetsOf(kind: 'picture' | 'sound', shape: ClipShape): ProbedTrack['packets'] | undefined {
    const key = `${kind} ${shape}`;
    if (!packets.has(key)) packets.set(key, probe(clip(kind, shape))[0]?.packets);
    return packets.get(key);
  }

  const clipPairs: [ClipShape, ClipShape][] = [
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
  it.each(clipPairs)(
    'picture: %s; sound: %s: has every packet of both, at its time',
    async (pictures, sounds) => {
      const originals = { picture: clip('picture', pictures), sound: clip('sound', sounds) };
      setup.serve(originals);
      const video = await setup.open();
      const { bytes, clean } = await passOn(video);
      expect([clean, bytes.length]).toEqual([true, video.size]);
      expect(video.hasRanges).toBe([pictures, sounds].every((shape) => /^tables \w+$|index$/.test(shape)));
      expect(complaints(bytes)).toBe('');
      const [picture, sound, ...more] = probe(bytes);
      expect(more).toEqual([]);
      expect(picture?.packets).toEqual(packetsOf('picture', pictures));
      expect(sound?.packets).toEqual(packetsOf('sound', sounds));
      expect(picture?.durationS).toBeCloseTo(clipS, 1);
      expect(sound?.durationS).toBeCloseTo(clipS, 1);
    },
  );

  it.each(Object.keys(flags) as ClipShape[])('has the frames of a separate sound, %s', async (shape) => {
    const framesOf = async (file: Buffer) => {
      const source = new BufferSource(file);
      const movie = await readMovie(source, signal);
      const { frames, ...facts } = readSound(source, movie, planSound(movie), { signal });
      return { adts: await collect(frames), frameCount: facts.frameCount, running: source.running };
    };
    const expected = await framesOf(clip('sound', 'tables first'));
    const found = await framesOf(clip('sound', shape));
    expect(found.adts.subarray(-100_000).equals(expected.adts.subarray(-100_000))).toBe(true);
    // Without an edit list the encoder's delay is audible.
    expect(found.frameCount - expected.frameCount).toBeLessThanOrEqual(1);
    expect(found.running).toBe(0);
  });
});
