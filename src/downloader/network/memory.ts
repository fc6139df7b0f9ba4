/*
 * The bytes of buffers lie outside of V8's heap, and are freed when their small objects are collected. What passes
 * through here is mostly such bytes: waiting for a collection costs tens of megabytes, or collections for their sake
 * alone. A transfer (ECMA-262, `ArrayBuffer.prototype.transfer`) frees them at once; whoever still had the buffer
 * would find it empty.
 */

/**
 * Gives back the memory of a piece of a body that nobody reads any more. A piece that shares its memory with others
 * (with the head of its answer, or in Node's pool) is left to the collector.
 */
export function releaseChunk({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0);
}

/**
 * Gives back the memory of a decoded body that nobody reads any more. Node's decoders refer to what they put out until
 * old objects are collected. Small bodies may lie in Node's pool and are left to the collector.
 */
export function releaseBody({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
