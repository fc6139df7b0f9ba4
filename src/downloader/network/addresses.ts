import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The only block of IPv6 that is handed out for public use (RFC 4291, IANA registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address may be connected to: public unicast only. Rejects loopback, private, link-local, shared, reserved
 * and multicast addresses, and any IPv6 form that carries an IPv4 address (mapped, NAT64, 6to4, Teredo).
 * @param address from a resolver; anything but a plain address is rejected
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js reads octal, hexadecimal and short IPv4 forms; a resolver never gives those.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed instanceof ipaddr.IPv6 && parsed.match(globalUnicast));
}
