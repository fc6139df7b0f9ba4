import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Environment } from './environment.ts';
import { EnvironmentError } from './variables.ts';

/** The variable that is to blame when listening fails with one of these codes. */
const variables: Readonly<Record<string, 'PORT' | 'HOST'>> = {
  EADDRINUSE: 'PORT',
  EACCES: 'PORT',
  EADDRNOTAVAIL: 'HOST',
  ENOTFOUND: 'HOST',
  EAI_AGAIN: 'HOST',
  EINVAL: 'HOST',
};

/** A failure to listen as the wrong variable that it is, where it is one. */
function asWrongVariable(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const variable = variables[code];
  return variable === undefined ? error : new EnvironmentError(`${variable}: ${message}`, { cause: error });
}

type Place = Pick<Environment, 'PORT' | 'HOST'>;

/** Finds out early whether {@link listen} can succeed. @throws as it does */
export async function checkPort({ PORT, HOST }: Place): Promise<void> {
  if (PORT === 0) return;
  const probe = createServer().listen(PORT, HOST);
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw asWrongVariable(error);
  }
  probe.close();
  await once(probe, 'close');
}

/**
 * Starts to listen.
 * @returns the origin it listens on
 * @throws EnvironmentError when the port is taken or forbidden, or the host is not this machine's
 */
export async function listen(app: FastifyInstance, { PORT, HOST }: Place): Promise<string> {
  try {
    return await app.listen({ port: PORT, host: HOST });
  } catch (error) {
    throw asWrongVariable(error);
  }
}
