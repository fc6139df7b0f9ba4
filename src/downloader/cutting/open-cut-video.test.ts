import { beforeAll, describe, expect, test } from 'vitest';
import { readExactly } from '../joining/feed.ts';
import {
  complaints,
  hasFfmpeg,
  makeClip,
  makeWholeClip,
  type ProbedTrack,
  probe,
} from '../joining/testing/clips.ts';
import { type PartPlan, passOn, setUpJoining, sourceOf } from '../joining/testing/join-fixture.ts';
import { byteSourceOf } from '../streaming/byte-source.ts';
import { ResumableSource } from '../streaming/resumable-source.ts';
import { fakeMp4 } from '../streaming/testing/media-server.ts';
import { type CutVideoRequest, openCutVideo, SpanFeed } from './open-cut-video.ts';

const setup = setUpJoining();
const { signal } = new AbortController();
/** Seconds between the key frames of made clips. */
const keyFrameS = 1.5;
const indexBytes = 64 * 1024;

const open = (fromMs: number, toMs: number, request: Partial<CutVideoRequest> = {}) =>
  openCutVideo({
    network: setup.network,
    picture: { source: sourceOf('picture') },
    sound: null,
    cut: { fromMs, toMs, isRingtone: false },
    signal,
    ...request,
  });

/** Requested bytes, without the first read of each file. */
const fetched = () =>
  setup.asked
    .map(({ range }) => /^bytes=(\d+)-(\d+)$/.exec(range ?? ''))
    .filter((match) => match?.[1] !== '0')
    .reduce((sum, match) => sum + Number(match?.[2]) + 1 - Number(match?.[1]), 0);

const track = (tracks: readonly ProbedTrack[], kind: string) => tracks.find((one) => one.kind === kind);

describe.runIf(hasFfmpeg)('a cut of a real clip', () => {
  const none = Buffer.alloc(0);
  let whole: Buffer = none;
  beforeAll(() => {
    whole = makeWholeClip('-b:v', '4M');
  });
  const oneFile = () => ({ picture: whole, sound: none });
  const twoFiles = () => ({ picture: makeClip('picture', '+faststart'), sound: makeClip('sound', '') });

  test.each([
    ['of one file', oneFile, null],
    ['of two files', twoFiles, { source: sourceOf('sound') }],
  ])(
    '%s begins at a key frame, is in step, plays, and downloads little more than it keeps',
    async (_, makeFiles, sound) => {
      const files = makeFiles();
      setup.serve(files);
      const video = await open(2000, 4000, { sound });
      const { bytes, clean } = await passOn(video);
      expect(clean).toBe(true);
      expect([video.status, video.length, video.size]).toEqual([200, bytes.length, bytes.length]);
      expect(complaints(bytes)).toBe('');
      const tracks = probe(bytes);
      const [seen, heard] = [track(tracks, 'video'), track(tracks, 'audio')];
      expect(seen?.durationS).toBeCloseTo(4 - keyFrameS, 2);
      expect(heard?.durationS).toBeCloseTo(4 - keyFrameS, 1);
      expect(seen?.startS).toBeCloseTo(0, 2);
      // Every sample is one of the original, where it is later by the start of the cut.
      for (const [kind, cutTrack] of [
        ['video', seen],
        ['audio', heard],
      ] as const) {
        const original = track(
          [...probe(files.picture), ...(sound === null ? [] : probe(files.sound))],
          kind,
        );
        const at = new Map(original?.packets.map(({ hash, pts }) => [hash, pts]));
        for (const { hash, pts } of cutTrack?.packets.slice(2) ?? [])
          expect(Math.abs((at.get(hash) ?? Number.NaN) - pts - keyFrameS * 1000)).toBeLessThan(20);
      }
      expect(fetched()).toBeLessThanOrEqual(1.2 * bytes.length + indexBytes);
    },
  );

  test('is the same file in ranges, and resumes where the platform breaks off', async () => {
    const breaks: PartPlan = (count) => (count === 1 ? { after: 3000, ending: 'reset' } : {});
    setup.serve(oneFile(), { picture: breaks });
    const { bytes, result } = await passOn(await open(1000, 5000));
    expect(result).toMatchObject({ outcome: 'complete', resumes: 1 });
    expect(complaints(bytes)).toBe('');

    const { etag } = await open(1000, 5000, { head: true });
    const part = await open(1000, 5000, { range: 'bytes=9000-20000', ifRange: etag ?? '' });
    expect([part.status, part.start, part.length]).toEqual([206, 9000, 11_001]);
    expect((await passOn(part)).bytes.equals(bytes.subarray(9000, 20_001))).toBe(true);
    expect((await open(1000, 5001, { head: true })).etag).not.toBe(etag);
  });

  test('has at least one picture for one millisecond, what is left at the end, and nothing behind the end', async () => {
    setup.serve(oneFile());
    const { bytes } = await passOn(await open(3000, 3001));
    expect(complaints(bytes)).toBe('');
    expect(track(probe(bytes), 'video')?.packets).toHaveLength(1);
    const { bytes: rest } = await passOn(await open(5900, 86_400_000));
    expect(track(probe(rest), 'video')?.durationS).toBeCloseTo(6 - 4.5, 2);
    await expect(open(6100, 7000)).rejects.toMatchObject({ key: 'cut_invalid' });
  });

  test('fails before its first byte when the index is wrong, or the file is written piece by piece', async () => {
    setup.serve({ picture: whole.subarray(0, whole.length / 2), sound: none });
    await expect(open(1000, 2000)).rejects.toMatchObject({ key: 'media_invalid' });
    setup.serve({ picture: makeClip('picture', '+frag_keyframe+empty_moov'), sound: none });
    await expect(open(1000, 2000)).rejects.toMatchObject({ key: 'cut_unsupported' });
  });
});

const file = fakeMp4(1_500_000);

test.each([
  ['asks for each of its spans', false, ['0-9', '5000-5999', '700000-700999', '1400000-1400999']],
  ['asks a server that ignores ranges once', true, ['0-9', '5000-1400999']],
])('%s', async (_, ignoreRange, ranges) => {
  setup.serve({ picture: file, sound: file }, { picture: () => ({ ignoreRange }) });
  const source = new ResumableSource({ network: setup.network, source: sourceOf('picture') });
  await byteSourceOf(source).read(0, 10, signal);
  const starts = [5000, 700_000, 1_400_000] as const;
  const [first, ...later] = starts.map((start) => ({ start, end: start + 1000 }));
  const feed = await SpanFeed.open(source, [first ?? { start: 0, end: 0 }, ...later], signal);
  for (const start of starts) {
    await feed.skipTo(start);
    expect((await readExactly(feed, 1000)).equals(file.subarray(start, start + 1000))).toBe(true);
  }
  feed.stop();
  expect(setup.asked.map(({ range }) => range)).toEqual(ranges.map((range) => `bytes=${range}`));
});
