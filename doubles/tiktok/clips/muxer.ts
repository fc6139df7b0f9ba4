import { frontBoxes, moovBox, type Track } from './boxes.ts';
import { planFragments } from './fragments.ts';
import {
  bareSizes,
  type Clip,
  type ClipSpec,
  type Input,
  inputsOf,
  padded,
  samplesPerChunk,
  writeSample,
} from './tracks.ts';

/** Lays out an mp4 (ISO/IEC 14496-12) without writing its media yet. */
export function planClip(spec: ClipSpec): Clip {
  const inputs = inputsOf(spec);
  if (spec.fragmented === true) return planFragments(spec, inputs);
  const interleaveS = spec.interleaveS ?? 0.5;
  const front = frontBoxes(spec.mark);
  const chunks = inputs.map((input) => samplesPerChunk(input, interleaveS));
  const bare = inputs.map(bareSizes);
  const placeholders = inputs.map(({ track }, index) => ({
    ...track,
    sampleSizes: bare[index] ?? [],
    samplesPerChunk: chunks[index] ?? [],
    chunkOffsets: (chunks[index] ?? []).map(() => 0),
  }));
  const moovLength = moovBox(placeholders).length;
  const bareTotal = bare.flat().reduce((sum, size) => sum + size, front.length + moovLength + 8);
  const sizes = bare.map((track, index) =>
    inputs[index]?.track.kind === 'video' && spec.bytes !== undefined
      ? padded(track, spec.bytes - bareTotal)
      : track,
  );

  const moovFirst = spec.moov !== 'last';
  const mediaStart = front.length + (moovFirst ? moovLength : 0) + 8;
  const { offsets, end } = placeChunks(sizes, chunks, mediaStart);
  const tracks = placeholders.map((track, index) => ({
    ...track,
    sampleSizes: sizes[index] ?? [],
    chunkOffsets: offsets[index] ?? [],
  }));
  const size = end + (moovFirst ? 0 : moovLength);

  function build(): Buffer {
    const file = Buffer.allocUnsafe(size);
    front.copy(file);
    moovBox(tracks).copy(file, moovFirst ? front.length : end);
    file.writeUInt32BE(end - mediaStart + 8, mediaStart - 8);
    file.write('mdat', mediaStart - 4, 'latin1');
    tracks.forEach((track, index) => {
      const input = inputs[index];
      if (input !== undefined) writeSamples(file, track, input);
    });
    return file;
  }

  return { size, build };
}

function placeChunks(
  sizes: ReadonlyArray<readonly number[]>,
  chunks: ReadonlyArray<readonly number[]>,
  start: number,
): { offsets: number[][]; end: number } {
  const offsets: number[][] = sizes.map(() => []);
  const next = sizes.map(() => 0);
  const turns = Math.max(0, ...chunks.map((track) => track.length));
  let end = start;
  for (let turn = 0; turn < turns; turn += 1) {
    chunks.forEach((track, index) => {
      const count = track[turn];
      if (count === undefined) return;
      offsets[index]?.push(end);
      const first = next[index] ?? 0;
      for (let sample = first; sample < first + count; sample += 1) end += sizes[index]?.[sample] ?? 0;
      next[index] = first + count;
    });
  }
  return { offsets, end };
}

function writeSamples(file: Buffer, track: Track, input: Input): void {
  let index = 0;
  track.chunkOffsets.forEach((chunkOffset, chunk) => {
    let offset = chunkOffset;
    for (let left = track.samplesPerChunk[chunk] ?? 0; left > 0; left -= 1) {
      const size = track.sampleSizes[index] ?? 0;
      writeSample(file.subarray(offset, offset + size), input, index);
      offset += size;
      index += 1;
    }
  });
}
