/** Relays files of the media server: `/joined` is the picture and the sound as one, `/whole` a file unchanged. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openJoinedVideo } from '../../src/downloader/joining/open-joined-video.ts';
import { createPlatformNetwork } from '../../src/downloader/network/platform-network.ts';
import { openVideo } from '../../src/downloader/streaming/video.ts';
import type { OriginReady } from './origin.ts';

export interface PasserReady {
  readonly port: number;
}

process.on('SIGINT', () => process.exit(0));
process.once('message', ({ port, ca }: OriginReady) => {
  const network = createPlatformNetwork({
    hosts: { 'tiktok/media': [/^v16\.platform\.test$/] },
    proxy: {},
    // Everything shares the machine's cores while a hundred connections are made.
    timeouts: { connectMs: 15_000, headersMs: 15_000 },
    resolveAddress: async () => [{ address: '127.0.0.1', family: 4 }],
    loopback: { ca, portOf: () => port, allowAddress: () => true },
  });
  const source = (name: string) => ({
    urls: [`https://v16.platform.test/${name}`],
    headers: {},
    expiresAt: 0,
  });

  async function pass(path: string | undefined, response: ServerResponse): Promise<void> {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const common = { network, signal: left.signal };
    const video =
      path === '/joined'
        ? await openJoinedVideo({
            ...common,
            picture: { source: source('picture') },
            sound: { source: source('sound') },
          })
        : await openVideo({ ...common, source: source('whole') });
    response.writeHead(video.status, { 'content-length': String(video.length) });
    await video.pipeTo(response);
  }

  const server = createServer((request, response) => {
    pass(request.url, response).catch((error: unknown) => {
      if (!response.destroyed) console.error(error);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port } satisfies PasserReady);
  });
});
