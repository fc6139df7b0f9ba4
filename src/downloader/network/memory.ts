/*
 * The bytes of buffers lie outside of V8's heap, and are freed when their small objects are collected. What passes
 * through here is mostly such bytes: waiting for a collection costs tens of megabytes, or collections for their sake
 * alone. A transfer (ECMA-262, `ArrayBuffer.prototype.transfer`) frees them at once; whoever still had the buffer
 * would find it empty.
 */

/** How many refer to memory that is shared on purpose: the piece itself, and each part of it. */
const holders = new WeakMap<ArrayBufferLike, number>();

const isAlone = ({ buffer, byteLength }: Uint8Array) => byteLength === buffer.byteLength;

/**
 * A part of a piece of a body, without a copy. The memory is given back when the piece and all parts of it were released.
 * @param end one past its last byte
 */
export function partOf(piece: Buffer, start: number, end: number): Buffer {
  const { buffer } = piece;
  if (isAlone(piece)) holders.set(buffer, (holders.get(buffer) ?? 1) + 1);
  return piece.subarray(start, end);
}

/**
 * Gives back the memory of a piece of a body that nobody reads any more. A piece that shares its memory with others
 * (with the head of its answer, or in Node's pool) is left to the collector.
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

/** Bytes in memory of their own, which can be given back: never in Node's pool. */
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
 * Gives back the memory of a decoded body that nobody reads any more. Node's decoders refer to what they put out until
 * old objects are collected. Small bodies may lie in Node's pool and are left to the collector.
 */
export function releaseBody({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
