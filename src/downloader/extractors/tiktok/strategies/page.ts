import { asFailure, Failure } from '../../../../failures/failures.ts';
import { releaseBody } from '../../../network/memory.ts';
import type { Post, PostReference } from '../../../posts/post.ts';
import type { Strategy } from '../../extractor.ts';
import { readDetail } from '../post/item.ts';
import { cookieHeader } from '../post/media-addresses.ts';
import { gateByBody, gateByStatus } from '../responses/gates.ts';
import { parseJson, sliceOfObject } from '../responses/json.ts';
import { scriptBody } from '../responses/script-body.ts';
import type { StrategyOptions } from './strategy-options.ts';

/** Where a page holds its post: the script's id and the member inside it; null when the script is the member. */
interface DataPlace {
  readonly script: string;
  readonly member: string | null;
}

const desktopPlaces: readonly DataPlace[] = [
  { script: '__UNIVERSAL_DATA_FOR_REHYDRATION__', member: 'webapp.video-detail' },
];
const mobilePlaces: readonly DataPlace[] = [
  { script: '__UNIVERSAL_DATA_FOR_REHYDRATION__', member: 'webapp.reflow.video.detail' },
  { script: 'api-data', member: null },
  ...desktopPlaces,
];

/** Pages have 300 to 412 kB. */
const maxPageBytes = 2_000_000;

/** The post's page as a desktop browser sees it: every encoding and all the details. */
export function pageStrategy(options: StrategyOptions): Strategy {
  return pageReader('page', 5_000, desktopPlaces, options);
}

/** The page for phones: the same item in other places. */
export function reflowStrategy(options: StrategyOptions): Strategy {
  return pageReader('reflow', 3_000, mobilePlaces, options);
}

function pageReader(
  name: string,
  limitMs: number,
  places: readonly DataPlace[],
  { network, agents, now, shape }: StrategyOptions,
): Strategy {
  async function readOnce(reference: PostReference, userAgent: string, signal: AbortSignal): Promise<Post> {
    const response = await network.fetchText({
      // Any handle shows the post, also a slideshow.
      url: `https://www.tiktok.com/@i/video/${reference.id}`,
      hosts: 'tiktok/page',
      headers: {
        'user-agent': userAgent,
        accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
        'accept-language': 'en-US,en;q=0.9',
      },
      maxBytes: maxPageBytes,
      maxRedirects: 3,
      egress: reference.egress,
      signal,
    });
    const gate = gateByStatus(response);
    if (gate !== null) throw gate;
    // Media servers require the cookies of the response that named the addresses.
    const session = { userAgent, cookie: cookieHeader(response.setCookies) };
    const detail = findDetail(response.body, places);
    releaseBody(response.body);
    return readDetail(detail, {
      reference,
      session,
      nowMs: now(),
      readBy: name,
      onShape:
        shape &&
        ((found) =>
          shape({
            strategy: `${reference.platform}/${name}`,
            shape: found,
            example: reference.id,
          })),
    });
  }

  return {
    name,
    limitMs,
    async read(reference, signal) {
      const read = () => agents.use(reference.egress, (userAgent) => readOnce(reference, userAgent, signal));
      try {
        return await read();
      } catch (thrown) {
        // A single refusal often concerns this user-agent, or only this moment.
        if (asFailure(thrown).key === 'platform_blocked') return read();
        throw thrown;
      }
    },
  };
}

/** @throws Failure `platform_blocked`, `platform_throttled`, `platform_failed` or {@link UnreadableResponse} */
function findDetail(body: Buffer, places: readonly DataPlace[]): unknown {
  let shell = false;
  for (const { script, member } of places) {
    const found = scriptBody(body, script);
    if (found === null) continue;
    if (found.end === -1) throw new Failure('platform_failed', { note: 'the page ended too early' });
    const json =
      member === null
        ? body.toString('utf8', found.start, found.end)
        : sliceOfObject(body, member, found.start, found.end);
    if (json !== null) return parseJson(json);
    shell = true;
  }
  if (shell) throw new Failure('platform_blocked', { note: 'a shell without the post' });
  throw gateByBody(body);
}
