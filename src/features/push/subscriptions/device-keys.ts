import { ECDH } from 'node:crypto';
import { z } from 'zod';

const curve = 'prime256v1';
/** Marks an uncompressed point (SEC 1, section 2.3.3), as RFC 8291, section 3.1 requires. */
const uncompressed = 4;

/** Bytes in base64url, as browsers give keys; some pad them. */
const bytes = (length: number) =>
  z
    .string()
    .max(200)
    .refine(
      (text) => /^[\w-]+={0,2}$/.test(text) && Buffer.from(text, 'base64url').length === length,
      'is no key',
    );

function isPoint(text: string): boolean {
  const key = Buffer.from(text, 'base64url');
  if (key[0] !== uncompressed) return false;
  try {
    ECDH.convertKey(key, curve);
    return true;
  } catch (error) {
    // Node refuses other invalid keys, with which nothing can be encrypted.
    if (error instanceof Error) return false;
    throw error;
  }
}

/** The public key of a device: a point of P-256 (RFC 8291, section 3.1). */
export const devicePublicKey = bytes(65).refine(isPoint, 'is no point of the curve');

/** The secret that a device and the site share to authenticate messages: 16 bytes (RFC 8291, section 3.2). */
export const deviceSecret = bytes(16);
