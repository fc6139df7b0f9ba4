import ipaddr from 'ipaddr.js';

/** The neighbourhood of an address as people write it: its IPv4 /24 or IPv6 /56; `unknown` for no address. */
export function addressBlock(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  const isV4 = parsed.kind() === 'ipv4';
  const bits = isV4 ? 24 : 56;
  const network = (isV4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(`${parsed.toString()}/${bits}`);
  return `${network.toString()}/${bits}`;
}
