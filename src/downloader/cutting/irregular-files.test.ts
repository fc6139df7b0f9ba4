import { describe, expect, test } from 'vitest';
import { readTableTrack, type TableTrack } from '../joining/layouts/sample-tables.ts';
import { joinBuffers } from '../joining/testing/join-buffers.ts';
import { writeM4a } from '../media/m4a.ts';
import { requiredChild } from '../media/mp4/boxes.ts';
import { readMovie } from '../media/mp4/read-movie.ts';
import { readSampleTable } from '../media/mp4/sample-table.ts';
import { readDurations } from '../media/mp4/sample-times.ts';
import { findTrack } from '../media/mp4/track.ts';
import { box } from '../media/mp4/write-boxes.ts';
import { readSound } from '../media/read-sound.ts';
import { planSound } from '../media/sound-plan.ts';
import { BufferSource, collect } from '../media/testing/buffer-source.ts';
import { buildMp4, framesOfAdts } from '../media/testing/mp4-builder.ts';
import { stereo22Adts, toneFrames } from '../media/testing/tone.ts';
import { chooseSamples } from './choose-samples.ts';
import type { Cut } from './cut.ts';
import { layOutCut } from './cut-layout.ts';
import { cutMovie } from './cut-sound.ts';

const { signal } = new AbortController();
const tags = { title: '', artist: '', sourceUrl: '' };

/** All samples of a file's track, by its tables. */
function samplesOf(file: Buffer, kind: 'vide' | 'soun'): Buffer[] {
  const track = findTrack(file, requiredChild(file, { start: 0, end: file.length }, 'moov'), kind);
  if (track === null) return [];
  const { offsets, sizes, count } = readSampleTable(file, track.stbl, file.length, file.length);
  return Array.from({ length: count }, (_, n) => {
    const at = offsets[n] ?? 0;
    return file.subarray(at, at + (sizes[n] ?? 0));
  });
}

/** The frames from which an mp3 is made. */
async function mp3Frames(file: Buffer, cut?: Cut): Promise<Buffer[]> {
  const source = new BufferSource(file);
  const whole = await readMovie(source, signal);
  const movie = cut === undefined ? whole : cutMovie(whole, cut);
  return framesOfAdts(await collect(readSound(source, movie, planSound(movie), { signal }).frames));
}

async function m4aOf(file: Buffer, cut?: Cut): Promise<Buffer> {
  const source = new BufferSource(file);
  const whole = await readMovie(source, signal);
  const movie = cut === undefined ? whole : cutMovie(whole, cut);
  return collect(writeM4a(source, movie, planSound(movie), tags, { signal }).chunks);
}

/** A file's cut, put together from its bytes. */
function cutOf(file: Buffer, fromS: number, toS: number): Buffer {
  const moov = requiredChild(file, { start: 0, end: file.length }, 'moov');
  const read = (kind: 'vide' | 'soun'): TableTrack | null => {
    const track = findTrack(file, moov, kind);
    return track && readTableTrack(track, file.length);
  };
  const picture = read('vide');
  if (picture === null) throw new Error('no picture');
  const tracks = { picture, sound: read('soun'), isSoundApart: false };
  const { pieces, size } = layOutCut(tracks, chooseSamples(tracks, fromS, toS));
  const bytes = Buffer.concat(
    pieces.map((one) => ('bytes' in one ? one.bytes : file.subarray(one.start, one.end))),
  );
  if (bytes.length !== size) throw new Error(`${bytes.length} bytes, not ${size}`);
  return bytes;
}

/** A file's picture and its sound, joined as if they were two files. */
const joinedOf = async (file: Buffer): Promise<Buffer> =>
  (await joinBuffers({ picture: file, sound: file })).read();

const frames = toneFrames;
const good = buildMp4({ frames });
const other = framesOfAdts(stereo22Adts);

/** Replaces 32 bits after the type of the last box of a kind, which is the sound's. */
function patched(type: string, at: number, value: number, file = good): Buffer {
  const copy = Buffer.from(file);
  copy.writeUInt32BE(value, copy.lastIndexOf(type) + at);
  return copy;
}

/** Moves everything by a box that is put first. */
function behind(first: Buffer, file: Buffer): Buffer {
  const moved = Buffer.from(file);
  for (let at = moved.indexOf('stco'); at >= 0; at = moved.indexOf('stco', at + 1))
    for (let n = 0; n < moved.readUInt32BE(at + 8); n++)
      moved.writeUInt32BE(moved.readUInt32BE(at + 12 + 4 * n) + first.length, at + 12 + 4 * n);
  return Buffer.concat([first, moved]);
}

const ftypBytes = good.readUInt32BE(0);
const moovLast = buildMp4({ frames, moov: 'last' });
const chunkCount = good.readUInt32BE(good.lastIndexOf('stco') + 8);

const files: [string, Buffer][] = [
  ['chunks of sound in reverse order', buildMp4({ frames, isBackwards: true })],
  [
    'more chunks in reverse order than can be asked for one by one',
    buildMp4({ frames, isBackwards: true, interleaveS: 0.03 }),
  ],
  ["one more sample in 'stts' than there is", patched('stts', 12, frames.length + 1)],
  ["one sample less in 'stts' than there is", patched('stts', 12, frames.length - 1)],
  ["a last run of 'stsc' that goes back", patched('stsc', 24, 0)],
  ["a last run of 'stsc' behind the last chunk", patched('stsc', 24, chunkCount + 5)],
  ["a first run of 'stsc' that begins late", patched('stsc', 12, 2)],
  ['a disabled sound before its own', buildMp4({ frames, disabledFrames: other })],
  ['no sound that is enabled', patched('tkhd', 4, 2)],
  ['an edit of what is behind the end', buildMp4({ frames, edit: { mediaTime: 9_000_000, durationS: 3 } })],
  ['two sample descriptions in turn', buildMp4({ frames, descriptions: 'alternating' })],
  ['a sample description that no chunk has', buildMp4({ frames, descriptions: 'foreign-first' })],
  ['no ftyp', moovFirstWithout(good)],
  ['a box nobody knows first', behind(box('zzzz', Buffer.alloc(30)), good)],
  [
    'boxes nobody knows before moov and at the end',
    Buffer.concat([behind(box('free', Buffer.alloc(9)), good), box('junk')]),
  ],
  ['the tables to the end of the file', openEnded(moovLast)],
  ['forty boxes of media before the tables', manyMdats(40)],
  [
    "more edits in 'elst' than it has",
    patched('elst', 8, 7, buildMp4({ frames, edit: { mediaTime: 0, durationS: 3 } })),
  ],
];

function moovFirstWithout(file: Buffer): Buffer {
  const moved = Buffer.from(file);
  for (let at = moved.indexOf('stco'); at >= 0; at = moved.indexOf('stco', at + 1))
    for (let n = 0; n < moved.readUInt32BE(at + 8); n++)
      moved.writeUInt32BE(moved.readUInt32BE(at + 12 + 4 * n) - ftypBytes, at + 12 + 4 * n);
  return moved.subarray(ftypBytes);
}

function openEnded(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  copy.writeUInt32BE(0, copy.lastIndexOf('moov') - 4);
  return copy;
}

/** Boxes of media without samples, too large to be read with the next, before the file's own. */
function manyMdats(count: number): Buffer {
  const first = Buffer.concat(Array.from({ length: count }, () => box('mdat', Buffer.alloc(70_000))));
  const ftyp = moovLast.subarray(0, ftypBytes);
  const rest = behind(first, moovLast);
  return Buffer.concat([ftyp, first, rest.subarray(first.length + ftypBytes)]);
}

describe('a file that players play gives every format', () => {
  const sound = Buffer.concat(frames);

  test.each(files)('%s', async (_, file) => {
    expect(Buffer.concat(await mp3Frames(file)).equals(sound)).toBe(true);
    expect(Buffer.concat(samplesOf(await m4aOf(file), 'soun')).equals(sound)).toBe(true);
    const cut = cutOf(file, 0, 60);
    expect(Buffer.concat(samplesOf(cut, 'soun')).equals(sound)).toBe(true);
    expect(samplesOf(cut, 'vide')).toHaveLength(samplesOf(file, 'vide').length);
    const joined = await joinedOf(file);
    expect(Buffer.concat(samplesOf(joined, 'soun')).equals(sound)).toBe(true);
    for (const made of [cut, joined]) {
      const track = findTrack(made, requiredChild(made, { start: 0, end: made.length }, 'moov'), 'soun');
      if (track === null) throw new Error('no sound');
      // The new tables say what was read.
      expect([...readDurations(made, track.stbl, frames.length)]).toEqual(frames.map(() => 1024));
      expect(made.readUInt32BE(requiredChild(made, track.stbl, 'stts').start + 8)).toBe(frames.length);
    }
  });

  test('leaves out samples that no chunk has', async () => {
    const file = patched('stco', 8, chunkCount - 1);
    const kept = await mp3Frames(file);
    expect(kept.length).toBeLessThan(frames.length);
    expect(
      Buffer.concat(kept).equals(
        sound.subarray(
          0,
          kept.reduce((sum, { length }) => sum + length, 0),
        ),
      ),
    ).toBe(true);
    expect(samplesOf(cutOf(file, 0, 60), 'soun')).toHaveLength(kept.length);
  });
});

describe('a sound that begins later than the picture', () => {
  const file = buildMp4({ frames, edit: { mediaTime: 1024, durationS: 1.5, waitS: 0.8 } });

  test('is silent until then, in an m4a and for an mp3', async () => {
    const silent = Math.ceil((0.8 * 44_100 - 1024) / 1024);
    const all = samplesOf(await m4aOf(file), 'soun');
    expect(new Set(all.slice(0, silent).map((frame) => frame.toString('hex'))).size).toBe(1);
    // The encoder of an mp3 makes the silence.
    expect((await mp3Frames(file)).map(String)).toEqual(all.slice(silent).map(String));
    expect(all[silent]?.equals(frames[0] ?? Buffer.alloc(0))).toBe(true);
  });

  test.each([
    [0, 2],
    [0.3, 2],
    [1.2, 2],
  ])('means the same moments in every format from %d to %d', async (fromS, toS) => {
    const cut = { fromMs: fromS * 1000, toMs: toS * 1000, isRingtone: false };
    const m4a = await m4aOf(file, cut);
    // When a frame in the middle of the sound is heard, on the clock of the file.
    const heardAt = (made: Buffer) => {
      const track = findTrack(made, requiredChild(made, { start: 0, end: made.length }, 'moov'), 'soun');
      const n = samplesOf(made, 'soun').findIndex((one) => one.equals(frames[40] ?? one));
      const shown = track?.edits.findIndex(({ mediaTime }) => mediaTime >= 0) ?? 0;
      const waits = track?.edits.slice(0, shown).reduce((sum, { duration }) => sum + duration, 0) ?? 0;
      return (
        waits / (track?.movieTimescale ?? 1) + (n * 1024 - (track?.edits[shown]?.mediaTime ?? 0)) / 44_100
      );
    };
    const expected = 0.8 + (40 * 1024 - 1024) / 44_100 - fromS;
    expect(heardAt(m4a)).toBeCloseTo(expected, 3);
    // A cut of a video may begin earlier, with a key frame; here each picture is one.
    const video = cutOf(file, fromS, toS);
    expect(heardAt(video) - (fromS - Math.floor(fromS * 2) / 2)).toBeCloseTo(expected, 3);
  });

  test('begins with SBR where decoders look for it in its first frame only', async () => {
    const low = { frames: other, sampleRate: 22_050, specificConfig: Buffer.from([0x13, 0x90]) };
    const late = buildMp4({ ...low, edit: { mediaTime: 0, durationS: 1, waitS: 0.8 } });
    const silent = Math.ceil((0.8 * 22_050) / 1024);
    const all = samplesOf(await m4aOf(late), 'soun');
    // A fill element of SBR without its header, and the end of the frame.
    const bits = BigInt(`0x${all[0]?.toString('hex')}`)
      .toString(2)
      .padStart((all[0]?.length ?? 0) * 8, '0');
    expect(bits).toMatch(/110000111010000111[0]*$/);
    expect((await mp3Frames(late)).map(String)).toEqual(all.slice(silent).map(String));
    expect(all[silent]?.equals(other[0] ?? Buffer.alloc(0))).toBe(true);
    // Its cuts are on the movie's clock all the same.
    const cut = { fromMs: 1000, toMs: 2000, isRingtone: false };
    const first = Math.floor((0.2 * 22_050) / 1024) - 1;
    expect((await mp3Frames(late, cut))[0]?.equals(other[first] ?? Buffer.alloc(0))).toBe(true);
  });
});
