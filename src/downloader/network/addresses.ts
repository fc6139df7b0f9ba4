import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The only block of IPv6 that is handed out for public use (RFC 4291, IANA registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address may be connected to: public unicast only. Loopback, private, link-local, shared, reserved and
 * multicast addresses are not, nor any form that carries an IPv4 address inside IPv6 (mapped, NAT64, 6to4, Teredo).
 * @param address as a resolver gives it; anything that is not a plain address is refused
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js reads octal, hexadecimal and short IPv4 forms; a resolver never gives those.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed instanceof ipaddr.IPv6 && parsed.match(globalUnicast));
}
