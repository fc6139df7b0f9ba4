import type { MonitoringConfiguration } from './configuration.ts';

/** The parts of a DSN that a client key replaces. */
interface ClientKey {
  readonly publicKey?: string;
  readonly projectId?: string;
}

/**
 * The client key of a browser: its host's and device's, else the default one.
 * @param host with or without a port
 * @returns empty for the DSN's own key
 */
export function keyFor(
  { keys, default_keys }: Pick<MonitoringConfiguration, 'keys' | 'default_keys'>,
  host: string,
  device: 'desktop' | 'mobile',
): ClientKey {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  const key = keys.get(name)?.[device] ?? default_keys[device];
  if (key === undefined) return {};
  const [publicKey = '', projectId] = key.split('/');
  return { publicKey, ...(projectId !== undefined && { projectId }) };
}
