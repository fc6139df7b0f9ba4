import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { buildMark, rebuilt } from './rebuilt.ts';

/** A reverse proxy in front of the product: for changes behind the same origin. */
export interface Front {
  readonly origin: string;
  /** The target of its requests. */
  target: string;
  /**
   * Shows the product as if it had been rebuilt: all files of the build have other names, and the old ones are gone.
   */
  isRebuilt: boolean;
  /** Paths without a response. */
  readonly stalled: Set<string>;
  stop(): Promise<void>;
}

async function ask(request: IncomingMessage, target: string, path: string): Promise<Response> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (!['connection', 'accept-encoding', 'host'].includes(name)) headers.set(name, String(value));
  headers.set('accept-encoding', 'identity');
  // Headers in which the browser names its own origin.
  headers.set('sec-fetch-site', 'same-origin');
  const body = request.method === 'POST' ? new Uint8Array(await buffer(request)) : null;
  return fetch(target + path, { method: request.method ?? 'GET', headers, body, redirect: 'manual' });
}

async function pass(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/';
  if (front.stalled.has(path)) return;
  const isNew = path.includes(`${buildMark}.`);
  if (path.startsWith('/_app/') && isNew !== front.isRebuilt) return void response.writeHead(404).end();
  const answer = await ask(request, front.target, path.replace(`${buildMark}.`, '.'));
  const headers = new Headers(answer.headers);
  for (const name of ['connection', 'content-length', 'transfer-encoding']) headers.delete(name);
  let body = Buffer.from(await answer.arrayBuffer());
  if (front.isRebuilt && /text|json|javascript|x-script/.test(headers.get('content-type') ?? '')) {
    body = Buffer.from(rebuilt(body.toString()));
    // Inline scripts contain the names too, and the policy lists those scripts by their hashes.
    headers.delete('content-security-policy');
    headers.delete('etag');
  }
  const version = headers.get('x-assets-version');
  if (front.isRebuilt && version !== null) headers.set('x-assets-version', version + buildMark);
  response.writeHead(answer.status, [...headers].flat());
  response.end(body);
}

/** Starts a front for the product at an origin. */
export async function startFront(target: string): Promise<Front> {
  const server = createServer((request, response) => {
    pass(front, request, response).catch((error: unknown) => response.destroy(error as Error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const front: Front = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target,
    isRebuilt: false,
    stalled: new Set(),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return front;
}
