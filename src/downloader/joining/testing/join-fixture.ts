import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { PlatformNetwork } from '../../network/contracts.ts';
import { type Origin, startOrigin, testHosts, testNetwork, until } from '../../network/testing/origin.ts';
import type { MediaSource } from '../../post/post.ts';
import type { RelayResult } from '../../streaming/relay.ts';
import { type ResponsePlan, serveFile } from '../../streaming/testing/media-server.ts';
import { copying } from '../../streaming/testing/video-fixture.ts';
import type { OpenedVideo } from '../../streaming/video.ts';
import type { Part } from '../layouts/layout.ts';
import { type JoinedVideoRequest, openJoinedVideo } from '../open-joined-video.ts';

/** A server's behaviour for the n-th request of a file, from 0. */
export type PartPlan = (count: number, request: IncomingMessage) => ResponsePlan;

/** Two files on media servers, and a network that reaches them. */
export interface JoinFixture {
  origin: Origin;
  network: PlatformNetwork;
  /** Requests of this test, by file. */
  asked: { part: Part; range: string | undefined; host: string | undefined }[];
  serve(files: Readonly<Record<Part, Buffer>>, plans?: Partial<Record<Part, PartPlan>>): void;
  open(request?: Partial<JoinedVideoRequest>): Promise<OpenedVideo>;
}

/** A file of the fixture's servers. */
export const sourceOf = (part: Part): MediaSource => ({
  urls: [`https://${testHosts.media}/${part}`, `https://${testHosts.mirror}/${part}`],
  headers: {},
  expiresAt: 0,
});
const never = new AbortController().signal;

/** Sets up the tests of the calling file; no test may leave a connection open. */
export function setUpJoining(): JoinFixture {
  const setup = {
    serve(files, plans = {}) {
      const handlers = {
        picture: serveFile(files.picture, plans.picture),
        sound: serveFile(files.sound, plans.sound),
      };
      setup.origin.handle = (request, response) => {
        const part = request.url?.startsWith('/sound') ? 'sound' : 'picture';
        setup.asked.push({ part, range: request.headers.range, host: request.headers.host });
        handlers[part](request, response);
      };
    },
    open: (request = {}) =>
      openJoinedVideo({
        network: setup.network,
        picture: { source: sourceOf('picture') },
        sound: { source: sourceOf('sound') },
        signal: never,
        ...request,
      }),
  } as JoinFixture;
  beforeAll(async () => {
    setup.origin = await startOrigin();
  });
  beforeEach(() => {
    setup.asked = [];
    setup.network = testNetwork(setup.origin);
  });
  afterEach(async () => {
    await setup.network.close();
    await until(() => setup.origin.open.size === 0);
  });
  afterAll(() => setup.origin.close());
  return setup;
}

/** Reads the body into memory; returns what arrived and how it ended. */
export async function passOn(
  video: OpenedVideo,
): Promise<{ bytes: Buffer; result: RelayResult; clean: boolean }> {
  const target = copying();
  const chunks: Buffer[] = [];
  target.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<boolean>((resolve) => {
    target.on('end', () => resolve(true)).on('close', () => resolve(false));
  });
  const result = await video.pipeTo(target);
  return { bytes: Buffer.concat(chunks), result, clean: await ended };
}
