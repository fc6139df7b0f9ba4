/** A host of a push service, or `*.` and the domain that its hosts lie one label below. */
export type ServiceHost = string;

const longestEndpoint = 1000;

/** Percent-encoded letters, digits, `-`, `.`, `_` and `~`: the same address is written without (RFC 3986, section 2.3). */
const encodedForNothing = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;

function isOfService(host: string, service: ServiceHost): boolean {
  if (!service.startsWith('*.')) return host === service;
  const label = host.slice(0, -(service.length - 1));
  return host === label + service.slice(1) && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(label);
}

/**
 * Whether an endpoint is one of the services': nothing else is ever sent to, whatever a visitor registers. It has to be
 * written in the one way in which browsers write it, so that a device cannot be registered under many addresses.
 */
export function isServiceEndpoint(endpoint: string, services: readonly ServiceHost[]): boolean {
  if (endpoint.length > longestEndpoint || endpoint.includes('#') || encodedForNothing.test(endpoint))
    return false;
  const url = URL.parse(endpoint);
  if (url?.protocol !== 'https:' || url.href !== endpoint || url.username + url.password !== '') return false;
  return services.some((service) => isOfService(url.host, service));
}
