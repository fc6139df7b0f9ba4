import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page of the product that a browser receives in two parts. */
export interface HaltingDocument {
  readonly url: string;
  /** Sends the second part. */
  goOn(): void;
  stop(): void;
}

/**
 * Serves a page as a slow phone reads it: up to a text in its markup, and the rest on command. The page's files are
 * served normally.
 * @param before the text at which the first part ends
 */
export async function haltDocument(origin: string, path: string, before: string): Promise<HaltingDocument> {
  const { promise: resumed, resolve: goOn } = Promise.withResolvers<void>();
  const server = createServer(async ({ url = '/' }, response) => {
    const answer = await fetch(origin + url);
    const type = answer.headers.get('content-type') ?? '';
    response.writeHead(answer.status, { 'content-type': type });
    if (url !== path) return response.end(Buffer.from(await answer.arrayBuffer()));
    const html = await answer.text();
    const at = html.indexOf(before);
    if (at < 0) return response.destroy(new Error(`No "${before}" in ${path}`));
    response.write(html.slice(0, at));
    await resumed;
    return response.end(html.slice(at));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    goOn,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
