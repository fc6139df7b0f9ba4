import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A third party's server that stores subscriptions to notifications. */
export interface SubscriptionServer {
  readonly origin: string;
  /** The received requests with their methods, in order. */
  readonly registered: readonly Readonly<Record<string, unknown>>[];
  stop(): void;
}

/** Starts it on a free port of the loopback interface; its base path is `/keeper`. */
export async function startSubscriptionServer(): Promise<SubscriptionServer> {
  const registered: Record<string, unknown>[] = [];
  const server = createServer(async ({ method, url, headers: { origin = '*' } }, response) => {
    const cors = {
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'content-type',
      'access-control-allow-methods': 'POST, DELETE',
    };
    if (method === 'OPTIONS') return void response.writeHead(204, cors).end();
    const isKnown = url === '/keeper/index.php/sub/register';
    if (isKnown) registered.push({ method, ...((await json(response.req)) as object) });
    response.writeHead(isKnown ? 200 : 404, { ...cors, 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: isKnown ? 200 : 404 }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    registered,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
