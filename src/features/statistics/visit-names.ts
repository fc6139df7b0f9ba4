import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const timeBytes = 4;
const randomLength = 11;
const markLength = 11;
const bodyLength = 1 + timeBytes + randomLength;
/** A visit continues for as long as reports are made; older names do not count, so that collecting them is useless. */
const lifeS = 86_400;

/** Names visits verifiably: an invented name is distinguished from an assigned one. */
export type VisitNames = ReturnType<typeof createVisitNames>;

/**
 * Names of 36 characters (base64url): whether the visit counts (1 byte), when it began (4 bytes, seconds since 1970,
 * big-endian), a random number, and an HMAC-SHA-256 of these, cut to 88 bits.
 * @param secret the same on all instances
 * @param now milliseconds since 1970
 */
export function createVisitNames(secret: Uint8Array, now: () => number) {
  const key = createSecretKey(
    new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), 'clipferry visits', 32)),
  );
  const markOf = (body: Uint8Array) =>
    createHmac('sha256', key).update(body).digest().subarray(0, markLength);
  const nowS = () => Math.floor(now() / 1000);
  return {
    /** @param isCounted whether the visit counts; the name says so from then on */
    make(isCounted: boolean) {
      const body = Buffer.alloc(bodyLength);
      body.writeUInt8(isCounted ? 1 : 0);
      body.writeUInt32BE(nowS(), 1);
      randomBytes(randomLength).copy(body, 1 + timeBytes);
      return Buffer.concat([body, markOf(body)]).toString('base64url');
    },
    /** Whether a name was given here to a visit that counts, within a day. */
    isCounted(name: string) {
      const bytes = Buffer.from(name, 'base64url');
      if (bytes.length !== bodyLength + markLength) return false;
      const body = bytes.subarray(0, bodyLength);
      if (!timingSafeEqual(markOf(body), bytes.subarray(bodyLength))) return false;
      return body.readUInt8() === 1 && Math.abs(nowS() - body.readUInt32BE(1)) <= lifeS;
    },
  };
}
