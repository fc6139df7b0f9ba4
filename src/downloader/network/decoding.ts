import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** The encodings that {@link decodeBody} takes, as an `Accept-Encoding` value. */
export const acceptedEncodings = 'gzip, deflate, br, zstd';

type Decode = (bytes: Buffer, options: { maxOutputLength: number; chunkSize: number }) => Buffer;

const decoders: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

// One pass for most pages; the default of 16 KiB makes many small buffers.
const usualChunkSize = 512 * 1024;

/**
 * Decodes a body's content encoding. Never produces more than `maxBytes`, so a decompression bomb costs no more than an
 * honest body of that size.
 * @param encoding the `Content-Encoding` header, empty for none
 * @throws Error when the encoding is unknown, the bytes are broken or the result is too long
 */
export function decodeBody(chunks: readonly Buffer[], encoding: string, maxBytes: number): Buffer {
  let bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  const encodings = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (encodings.length > 1) throw new Error('more than one content encoding');
  const name = encodings[0];
  if (name !== undefined && bytes.length > 0) {
    const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (decode === undefined) throw new Error('unknown content encoding');
    bytes = decode(bytes, {
      maxOutputLength: maxBytes,
      chunkSize: Math.min(outputSize(name, bytes), maxBytes + 64),
    });
  }
  if (bytes.length > maxBytes) throw new Error('body too large');
  return bytes;
}

/** A gzip body ends with the size of what it unfolds into (RFC 1952, 2.3.1, ISIZE): a hint, which need not be true. */
function outputSize(encoding: string, bytes: Buffer): number {
  if (!encoding.endsWith('gzip') || bytes.length < 4) return usualChunkSize;
  return Math.max(bytes.readUInt32LE(bytes.length - 4) + 64, 1024);
}
