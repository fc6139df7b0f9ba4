import { readTableTrack, type TableTrack } from '../../joining/layouts/sample-tables.ts';
import { joinBuffers } from '../../joining/testing/join-buffers.ts';
import { writeM4a } from '../../media/m4a.ts';
import { requiredChild } from '../../media/mp4/boxes.ts';
import { readMovie } from '../../media/mp4/read-movie.ts';
import { readSampleTable } from '../../media/mp4/sample-table.ts';
import { findTrack } from '../../media/mp4/track.ts';
import { readSound } from '../../media/read-sound.ts';
import { planSound } from '../../media/sound-plan.ts';
import { BufferSource, collect } from '../../media/testing/buffer-source.ts';
import { framesOfAdts } from '../../media/testing/mp4-builder.ts';
import { chooseSamples } from '../choose-samples.ts';
import type { Cut } from '../cut.ts';
import { layOutCut } from '../cut-layout.ts';
import { cutMovie } from '../cut-sound.ts';

const { signal } = new AbortController();
const tags = { title: '', artist: '', sourceUrl: '' };

/** All samples of a file's track, by its tables. */
export function samplesOf(file: Buffer, kind: 'vide' | 'soun'): Buffer[] {
  const track = findTrack(file, requiredChild(file, { start: 0, end: file.length }, 'moov'), kind);
  if (track === null) return [];
  const { offsets, sizes, count } = readSampleTable(file, track.stbl, file.length, file.length);
  return Array.from({ length: count }, (_, n) => {
    const at = offsets[n] ?? 0;
    return file.subarray(at, at + (sizes[n] ?? 0));
  });
}

/** The frames from which an mp3 is made. */
export async function mp3Frames(file: Buffer, cut?: Cut): Promise<Buffer[]> {
  const source = new BufferSource(file);
  const whole = await readMovie(source, signal);
  const movie = cut === undefined ? whole : cutMovie(whole, cut);
  return framesOfAdts(await collect(readSound(source, movie, planSound(movie), { signal }).frames));
}

export async function m4aOf(file: Buffer, cut?: Cut): Promise<Buffer> {
  const source = new BufferSource(file);
  const whole = await readMovie(source, signal);
  const movie = cut === undefined ? whole : cutMovie(whole, cut);
  return collect(writeM4a(source, movie, planSound(movie), tags, { signal }).chunks);
}

/** A file's cut, put together from its bytes. */
export function cutOf(file: Buffer, fromS: number, toS: number): Buffer {
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
export const joinedOf = async (file: Buffer): Promise<Buffer> =>
  (await joinBuffers({ picture: file, sound: file })).read();
