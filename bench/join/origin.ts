/** Plays a media server over TLS: a picture and its sound of 60 s, and a file of as many bytes as both. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { planClip } from '../../doubles/tiktok/clips/muxer.ts';
import { makeCertificate } from '../../src/downloader/network/testing/certificate.ts';
import { fakeMp4, serveFile } from '../../src/downloader/streaming/testing/media-server.ts';

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
const handlers = {
  '/picture': serveFile(picture),
  '/sound': serveFile(sound),
  '/whole': serveFile(fakeMp4(picture.length + sound.length)),
};

const certificate = await makeCertificate(['v16.platform.test']);
const server = createServer(certificate, (request, response) => {
  handlers[request.url as keyof typeof handlers](request, response);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ port, ca: certificate.cert } satisfies OriginReady);
});
