import type { FastifyInstance } from 'fastify';
import { type Environment, EnvironmentError } from './environment.ts';

/** The variable that is to blame when listening fails with one of these codes. */
const variables: Readonly<Record<string, 'PORT' | 'HOST'>> = {
  EADDRINUSE: 'PORT',
  EACCES: 'PORT',
  EADDRNOTAVAIL: 'HOST',
  ENOTFOUND: 'HOST',
  EAI_AGAIN: 'HOST',
  EINVAL: 'HOST',
};

/**
 * Starts to listen.
 * @returns the origin it listens on
 * @throws EnvironmentError when the port is taken or forbidden, or the host is not this machine's
 */
export async function listen(
  app: FastifyInstance,
  { PORT, HOST }: Pick<Environment, 'PORT' | 'HOST'>,
): Promise<string> {
  try {
    return await app.listen({ port: PORT, host: HOST });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const variable = variables[code];
    if (variable === undefined) throw error;
    throw new EnvironmentError(`${variable}: ${message}`, { cause: error });
  }
}
