import { hash } from 'node:crypto';

/** Bytes that SHA-256 takes at a time. */
const blockBytes = 64;

/**
 * HMAC-SHA256 (RFC 2104, section 2) of short texts under one key, as base64url. Made of one-shot hashes: Node's `Hmac`
 * objects take twice as long and have to be collected, and an answer has half a dozen tickets.
 * @param key at most 64 bytes
 */
export function hmacSha256(key: Uint8Array): (text: string) => string {
  if (key.length > blockBytes) throw new RangeError(`A key of more than ${blockBytes} bytes.`);
  const padded = (byte: number) => Uint8Array.from({ length: blockBytes }, (_, at) => (key[at] ?? 0) ^ byte);
  const [inner, outer] = [padded(0x36), padded(0x5c)];

  const afterBlock = (block: Uint8Array, text: string, encoding: 'utf8' | 'binary') => {
    const bytes = Buffer.allocUnsafe(blockBytes + Buffer.byteLength(text, encoding));
    bytes.set(block);
    bytes.write(text, blockBytes, encoding);
    return bytes;
  };

  return (text) => {
    const digest = hash('sha256', afterBlock(inner, text, 'utf8'), 'binary');
    return hash('sha256', afterBlock(outer, digest, 'binary'), 'base64url');
  };
}
