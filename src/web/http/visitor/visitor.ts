import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Who is asking, as far as limits are concerned. Holds no raw address, so that it may be logged. */
export interface Visitor {
  /** One IPv4 address or one IPv6 /64, hashed with a key that soon is another. */
  readonly key: string;
  /** Its neighbourhood: the IPv4 /24 or the IPv6 /56, hashed likewise. */
  readonly block: string;
  /** How many times the usual allowance it has in each limit; 1 when left out. */
  readonly times?: number;
}

function prefix(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const bytes = address.toByteArray();
  return bytes
    .map((byte, index) => byte & (0xff << Math.min(8, Math.max(0, (index + 1) * 8 - bits))))
    .join('.');
}

/** The key that addresses are hashed with now. */
export type NamingKey = () => KeyObject;

/** A key of this process alone: its names are comparable neither with another's nor after a restart. */
export function ownNamingKey(): NamingKey {
  const key = createSecretKey(randomBytes(32));
  return () => key;
}

const dayMs = 86_400_000;

/**
 * A key that all instances with the same secret have, and another one each day (UTC): names are comparable among them,
 * and not from one day to the next.
 * @param now ms since the epoch
 */
export function dailyNamingKey(secret: Uint8Array, now: () => number = Date.now): NamingKey {
  const keyOf = (day: number) =>
    createSecretKey(
      new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), `clipferry visitors ${day}`, 32)),
    );
  let day = Math.floor(now() / dayMs);
  let key = keyOf(day);
  return () => {
    const today = Math.floor(now() / dayMs);
    if (today !== day) {
      day = today;
      key = keyOf(day);
    }
    return key;
  };
}

/** Makes the function that names visitors. */
export function createVisitorHasher(namingKey: NamingKey): (address: string) => Visitor {
  const hash = (text: string) =>
    createHmac('sha256', namingKey()).update(text).digest('base64url').slice(0, 16);
  const name = (text: string): Visitor => {
    const address = ipaddr.isValid(text) ? ipaddr.process(text) : null;
    if (address === null) return { key: hash(text), block: hash(text) };
    const isV4 = address.kind() === 'ipv4';
    return {
      key: hash(`${address.kind()}/${prefix(address, isV4 ? 32 : 64)}`),
      block: hash(`${address.kind()}/${prefix(address, isV4 ? 24 : 56)}`),
    };
  };
  // Whoever asks asks again soon; afterwards the address is forgotten.
  const recent = new LRUCache<string, Visitor>({
    max: 2000,
    ttl: 60_000,
    // Reads the clock once a second; as it stands, the cache would set a timer for each millisecond with requests.
    ttlResolution: 1000,
    memoMethod: name,
  });
  return (text) => recent.memo(text);
}
