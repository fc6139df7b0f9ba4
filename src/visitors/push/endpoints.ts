/** A host of a push service, or `*.` and the domain that its hosts lie below. */
export type ServiceHost = string;

const longestEndpoint = 1000;

/** Whether an endpoint is one of the services': nothing else is ever sent to, whatever a visitor registers. */
export function isServiceEndpoint(endpoint: string, services: readonly ServiceHost[]): boolean {
  if (endpoint.length > longestEndpoint || !/^https:\/\/[a-z0-9.-]+\//i.test(endpoint)) return false;
  const host = URL.parse(endpoint)?.host ?? '';
  return services.some((service) =>
    service.startsWith('*.') ? host.endsWith(service.slice(1)) : host === service,
  );
}
