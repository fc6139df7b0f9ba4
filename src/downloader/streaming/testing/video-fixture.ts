import { Transform } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { PlatformNetwork } from '../../network/contracts.ts';
import { type Origin, startOrigin, testHosts, testNetwork, until } from '../../network/testing/origin.ts';
import type { MediaSource } from '../../post/post.ts';
import { type OpenedVideo, openVideo, type VideoRequest } from '../video.ts';
import { fakeMp4 } from './media-server.ts';

/** A file of two media servers. */
export const source: MediaSource = {
  urls: [`https://${testHosts.media}/a`, `https://${testHosts.mirror}/a`],
  headers: {},
  expiresAt: 0,
};

/** The file at these addresses. */
export const file: Buffer = fakeMp4(600_000);

/** Never aborts. */
const never = new AbortController().signal;

/** A target that releases a chunk when it calls back, like sockets. */
export const copying = (): Transform =>
  new Transform({ transform: (chunk, _, done) => done(null, Buffer.from(chunk)) });

/** The media servers, and a network that reaches them. */
export interface VideoFixture {
  origin: Origin;
  network: PlatformNetwork;
  open(request?: Partial<VideoRequest>): Promise<OpenedVideo>;
}

/** Sets up the tests of the calling file; no test may leave a connection open. */
export function setUpVideoSource(): VideoFixture {
  const setup = {
    open: (request = {}) => openVideo({ network: setup.network, source, signal: never, ...request }),
  } as VideoFixture;
  beforeAll(async () => {
    setup.origin = await startOrigin();
  });
  beforeEach(() => {
    setup.network = testNetwork(setup.origin);
  });
  afterEach(async () => {
    await setup.network.close();
    await until(() => setup.origin.open.size === 0);
  });
  afterAll(() => setup.origin.close());
  return setup;
}
