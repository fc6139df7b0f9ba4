/*
 * Buffers' bytes lie outside V8's heap and are freed only when their small objects are collected. Most bytes here are
 * such buffers: waiting for a collection costs tens of megabytes, forcing one costs CPU. A transfer (ECMA-262,
 * `ArrayBuffer.prototype.transfer`) frees them at once and leaves other references empty.
 */

/** Reference counts of deliberately shared memory: the piece itself, and each part of it. */
const holders = new WeakMap<ArrayBufferLike, number>();

const isAlone = ({ buffer, byteLength }: Uint8Array) => byteLength === buffer.byteLength;

/**
 * A part of a body piece, without a copy. The memory is freed when the piece and all its parts were released.
 * @param end one past its last byte
 */
export function partOf(piece: Buffer, start: number, end: number): Buffer {
  const { buffer } = piece;
  if (isAlone(piece)) holders.set(buffer, (holders.get(buffer) ?? 1) + 1);
  return piece.subarray(start, end);
}

/**
 * Frees the memory of a body piece that nobody reads any more. A piece that shares its memory (with the head of its
 * response, or in Node's pool) is left to the collector.
 */
export function releaseChunk(chunk: Uint8Array): void {
  const { buffer } = chunk;
  if (!(buffer instanceof ArrayBuffer)) return;
  const count = holders.get(buffer);
  if (count === undefined ? !isAlone(chunk) : count > 1) {
    if (count !== undefined) holders.set(buffer, count - 1);
    return;
  }
  holders.delete(buffer);
  buffer.transfer(0);
}

/** Bytes in their own memory, never in Node's pool, so that they can be freed. */
export function ownCopy(...pieces: readonly Uint8Array[]): Buffer {
  const copy = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    copy.set(piece, at);
    at += piece.length;
  }
  return copy;
}

/**
 * Frees the memory of a decoded body that nobody reads any more. Node's decoders keep references to their output until
 * old objects are collected. Small bodies may lie in Node's pool and are left to the collector.
 */
export function releaseBody({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
