import { checkPort } from '../../../../process/ports.ts';
import { EnvironmentError } from '../../../../process/variables.ts';
import { type Check, error, type Finding, ok } from '../../../../server/commands/checks.ts';

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
    return ok(`${host}:${port} is free`, undefined, of);
  } catch (thrown) {
    if (!(thrown instanceof EnvironmentError)) throw thrown;
    if (await isOurs(host, port, signal)) return ok(`the site answers at ${host}:${port}`, undefined, of);
    const todo = `stop the other program ("ss -ltnp"), or set another ${of}`;
    return error(thrown.message.replace(/^\w+: /, ''), todo, of);
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
