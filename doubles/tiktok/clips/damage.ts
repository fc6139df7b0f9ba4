/** Kinds of damage to an mp4. Each takes a good file whose `moov` comes first. */
export const DAMAGES = {
  'cut-in-half': (file) => file.subarray(0, Math.floor(file.length / 2)),
  'cut-in-moov': (file) => file.subarray(0, boxOffset(file, 'moov') + 600),
  'no-moov': (file) => renamed(file, 'moov', 'free'),
  'sample-count-huge': (file) => patched(file, 'stsz', 12, 0xffffffff),
  'chunk-count-huge': (file) => patched(file, 'stco', 8, 0xfffffff0),
  'time-entry-huge': (file) => patched(file, 'stts', 12, 0xffffffff),
  'sample-size-huge': (file) => patched(file, 'stsz', 16, 0xfffffff0),
  'moov-claims-4-gb': (file) => patched(file, 'moov', -4, 0xfffffff0),
  'track-claims-4-gb': (file) => patched(file, 'trak', -4, 0xfffffff0),
  'moov-size-zero': (file) => patched(file, 'moov', -4, 0),
  'box-size-zero': (file) => patched(file, 'mdia', -4, 0),
  'box-size-four': (file) => patched(file, 'minf', -4, 4),
  'box-size-negative': (file) => {
    const damaged = patched(file, 'trak', -4, 1);
    damaged.writeBigInt64BE(-16n, boxOffset(damaged, 'trak') + 4);
    return damaged;
  },
  'chunk-beyond-the-end': (file) => patched(file, 'stco', 12, 0xfffffff0, true),
  'chunks-run-loops': (file) => patched(file, 'stsc', 12, 0, true),
  'chunk-of-billions': (file) => patched(file, 'stsc', 16, 0xffffffff, true),
  'timescale-zero': (file) => patched(file, 'mdhd', 16, 0, true),
  'nested-deep': (file) => {
    const depth = 5_000;
    const nest = Buffer.alloc(depth * 8);
    for (let level = 0; level < depth; level += 1) {
      nest.writeUInt32BE((depth - level) * 8, level * 8);
      nest.write('trak', level * 8 + 4, 'latin1');
    }
    return withMoovContents(file, nest);
  },
  'tracks-by-thousands': (file) => {
    const moov = boxOffset(file, 'moov');
    const contents = file.subarray(moov + 4, moov - 4 + file.readUInt32BE(moov - 4));
    return withMoovContents(file, Buffer.concat(Array.from({ length: 2_000 }, () => contents)));
  },
} as const satisfies Record<string, (file: Buffer) => Buffer>;

export type DamageName = keyof typeof DAMAGES;

/** Offset of the box's type; `last` selects the last box of that type (the sound's, in files with two tracks). */
function boxOffset(file: Buffer, type: string, last = false): number {
  const tag = Buffer.from(type, 'latin1');
  const end = file.indexOf(Buffer.from('mdat', 'latin1'));
  const offset = last ? file.lastIndexOf(tag, end) : file.indexOf(tag);
  if (offset === -1) throw new Error(`The file has no ${type}`);
  return offset;
}

/** A copy with four bytes changed, `at` bytes after the start of the box's type. */
function patched(file: Buffer, type: string, at: number, value: number, last = false): Buffer {
  const copy = Buffer.from(file);
  copy.writeUInt32BE(value, boxOffset(copy, type, last) + at);
  return copy;
}

function renamed(file: Buffer, type: string, other: string): Buffer {
  const copy = Buffer.from(file);
  copy.write(other, boxOffset(copy, type), 'latin1');
  return copy;
}

function withMoovContents(file: Buffer, contents: Buffer): Buffer {
  const start = boxOffset(file, 'moov') - 4;
  const header = Buffer.alloc(8);
  header.writeUInt32BE(contents.length + 8);
  header.write('moov', 4, 'latin1');
  return Buffer.concat([
    file.subarray(0, start),
    header,
    contents,
    file.subarray(start + file.readUInt32BE(start)),
  ]);
}
