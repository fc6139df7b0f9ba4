/** A block is passed on when it has this many bytes, or the last one went this long ago, in ms. */
const blockBytes = 64 * 1024;
const blockMs = 100;

/** Joins small pieces into blocks: each costs a call here, and two of each instance that waits for it. */
export async function* inBlocks(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    size += chunk.length;
    if (size < blockBytes && performance.now() - lastMs < blockMs) continue;
    yield Buffer.concat(pieces);
    [pieces, size, lastMs] = [[], 0, performance.now()];
  }
  if (size > 0) yield Buffer.concat(pieces);
}
