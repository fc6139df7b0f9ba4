import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Registry } from 'prom-client';
import type { Environment } from './environment.ts';
import { EnvironmentError } from './variables.ts';

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
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (request, response) => {
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
