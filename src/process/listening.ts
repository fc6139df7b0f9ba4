import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
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

/**
 * Serves `/metrics` on a separate port when `METRICS_PORT` is set.
 * @returns a function that ends it
 * @throws EnvironmentError when the port is taken or forbidden
 */
export async function serveMetrics(
  { METRICS_PORT, HOST }: Pick<Environment, 'METRICS_PORT' | 'HOST'>,
  metrics: Registry,
): Promise<() => void> {
  if (METRICS_PORT === undefined) return () => {};
  const server = createHttpServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    metrics.metrics().then(
      (text) =>
        response
          .writeHead(200, {
            'content-type': metrics.contentType,
            'cache-control': 'no-store',
            'x-content-type-options': 'nosniff',
          })
          .end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = 100;
  server.listen(METRICS_PORT, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new EnvironmentError(`METRICS_PORT: ${(error as Error).message}`, { cause: error });
  }
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
