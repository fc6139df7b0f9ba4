/** Plays a media server over TLS: `/{bytes}` answers with an mp4-like body of that size, ranges included. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from '../../src/downloader/network/testing/certificate.ts';

export interface OriginReady {
  readonly port: number;
  readonly ca: string;
}

const certificate = await makeCertificate(['v16.platform.test']);
const block = Buffer.alloc(1024 * 1024, 7);
const head = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp41', 'latin1');

const server = createServer(certificate, (request, response) => {
  const size = Number(request.url?.slice(1));
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': String(size) });
  response.write(head);
  let left = size - head.length;
  const more = (): void => {
    while (left > 0) {
      const part = block.subarray(0, Math.min(left, block.length));
      left -= part.length;
      if (!response.write(part)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ port, ca: certificate.cert } satisfies OriginReady);
});
