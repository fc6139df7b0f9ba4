/** Plays a media server over TLS: a picture and its sound of 60 s, and a file of as many bytes as both. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { planClip } from '../../doubles/tiktok/clips/muxer.ts';
import { makeCertificate } from '../../src/downloader/network/testing/certificate.ts';
import { parseRange, resolveRange } from '../../src/downloader/streaming/ranges.ts';
import { fakeMp4 } from '../../src/downloader/streaming/testing/media-server.ts';

export interface OriginReady {
  readonly port: number;
  readonly ca: string;
}

const seconds = 60;
const bytesPerSecond = 240_000;
const picture = planClip({
  video: 'hevc-1080',
  sound: null,
  seconds,
  bytes: seconds * bytesPerSecond,
}).build();
const sound = planClip({ video: null, sound: 'aac-lc', seconds }).build();
const files: Record<string, Buffer> = {
  '/picture': picture,
  '/sound': sound,
  '/whole': fakeMp4(picture.length + sound.length),
};
const writtenAtOnce = 64 * 1024;

const certificate = await makeCertificate(['v16.platform.test']);
const server = createServer(certificate, (request, response) => {
  const file = files[request.url ?? ''] ?? Buffer.alloc(0);
  const { status, start, end } = resolveRange(parseRange(request.headers.range), file.length);
  response.writeHead(status, {
    'content-type': 'video/mp4',
    'content-length': end - start,
    ...(status === 206 && { 'content-range': `bytes ${start}-${end - 1}/${file.length}` }),
  });
  let at = start;
  // Encrypting whole files in advance would block all other clients.
  const more = (): void => {
    while (at < end) {
      const part = file.subarray(at, Math.min(end, at + writtenAtOnce));
      at += part.length;
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
