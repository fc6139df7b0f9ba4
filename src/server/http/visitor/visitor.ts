import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import type ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { readAddress } from './network-address.ts';

/** The client as limits know it. It contains no raw address, so it may be logged. */
export interface Visitor {
  /** One IPv4 address or one IPv6 /64, hashed with a short-lived key. */
  readonly key: string;
  /** Its neighbourhood: the IPv4 /24 or the IPv6 /56, hashed likewise. */
  readonly block: string;
  /** Multiple of the usual allowance in each limit; 1 by default. */
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

/** A key of this process: its hashes are comparable neither with another process's nor after a restart. */
export function ownNamingKey(): NamingKey {
  const key = createSecretKey(randomBytes(32));
  return () => key;
}

const dayMs = 86_400_000;

/**
 * A key shared by all instances with the same secret, changed each day (UTC): hashes are comparable among instances,
 * but not from one day to the next.
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

/** Makes the function that names visitors. All that is no address is one visitor. */
export function createVisitorHasher(namingKey: NamingKey): (address: string) => Visitor {
  const hash = (text: string) =>
    createHmac('sha256', namingKey()).update(text).digest('base64url').slice(0, 16);
  const name = (text: string): Visitor => {
    const address = readAddress(text);
    // Whatever else a proxy writes is one visitor: each spelling would have an allowance of its own.
    if (address === null) return { key: hash('unknown'), block: hash('unknown') };
    const isV4 = address.kind() === 'ipv4';
    return {
      key: hash(`${address.kind()}/${prefix(address, isV4 ? 32 : 64)}`),
      block: hash(`${address.kind()}/${prefix(address, isV4 ? 24 : 56)}`),
    };
  };
  // Clients usually send several requests; the address is forgotten afterwards.
  const recent = new LRUCache<string, Visitor>({
    max: 2000,
    ttl: 60_000,
    // Reads the clock once a second; by default, the cache would set a timer for each millisecond with requests.
    ttlResolution: 1000,
    memoMethod: name,
  });
  return (text) => recent.memo(text);
}
