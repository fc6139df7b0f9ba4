import { checkPort } from '../../../../process/listen.ts';
import { EnvironmentError } from '../../../../process/variables.ts';
import type { Check, Finding } from '../../../../server/commands/checks.ts';

/** Addresses of all interfaces, where this machine is found as well. */
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** Whether a program of this product answers at a port. */
async function isOurs(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  const name = everywhere[host] ?? (host.includes(':') ? `[${host}]` : host);
  const textAt = async (path: string) =>
    (await fetch(`http://${name}:${port}${path}`, { signal, redirect: 'manual' })).text();
  try {
    return (await textAt('/healthz')) === 'alive\n' || (await textAt('/metrics')).includes('clipferry_');
  } catch (error) {
    signal.throwIfAborted();
    // No HTTP is spoken there.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function findingOf(of: string, host: string, port: number, signal: AbortSignal): Promise<Finding> {
  try {
    await checkPort({ HOST: host, PORT: port });
    return { of, level: 'ok', what: `${host}:${port} is free` };
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    if (await isOurs(host, port, signal))
      return { of, level: 'ok', what: `the site answers at ${host}:${port}` };
    const what = error.message.replace(/^\w+: /, '');
    return { of, level: 'error', what, todo: `stop the other program ("ss -ltnp"), or set another ${of}` };
  }
}

/** Whether the site can listen, or does. */
export const ports: Check = {
  name: 'port',
  todo: 'set another PORT',
  run: ({ environment: { HOST, PORT, METRICS_PORT }, signal }) =>
    Promise.all(
      Object.entries({ PORT, METRICS_PORT }).flatMap(([name, port]) =>
        port === undefined ? [] : [findingOf(name, HOST, port, signal)],
      ),
    ),
};
