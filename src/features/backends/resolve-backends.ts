import { z } from 'zod';
import { resolveResponse } from '../../api/schemas.ts';
import { platformName, postId } from '../../downloader/post/post.ts';
import { Failure, type FailureKey, failureKeys } from '../../failures/failures.ts';
import { type BackendClient, BackendError } from '../../http-client/client.ts';
import { statuses } from '../../server/http/responses/statuses.ts';
import type { ResolveResult } from '../../site/api.ts';
import { pictureHere } from './backend-pictures.ts';
import type { PageBackends, ResolvePlace } from './configuration.ts';

/** Retry time after a backend has failed for its own reasons. */
const retryAfterS = 30;

const { post, options } = resolveResponse.shape.result.shape;

/** Our own answer, with bounds on what goes into a page, and without files that are no options. */
const resultSchema = resolveResponse.shape.result.omit({ other_link: true }).extend({
  post: post.omit({ cover_href: true, versions: true, captions: true }).extend({
    platform: platformName,
    id: postId,
    url: z.url({ protocol: /^https$/ }),
    duration_s: z.number().min(0),
  }),
  options: options.max(300),
});

/** A backend's failure of a post is passed on; a failure of the backend itself is replaced. */
const passedOn = /^(?:link|short_link|post|account|platform|media|option|sound)_|^(?:overloaded|stopping)$/;
const keys = failureKeys.filter((key) => passedOn.test(key)) as [FailureKey, ...FailureKey[]];

const refusalSchema = z.object({
  error: z.object({
    key: z.enum([...keys, 'rate_limited']),
    retry_after_s: z.int().min(1).max(3600).optional(),
  }),
});

function asFailure(thrown: unknown): Failure {
  const refusal = refusalSchema.safeParse(thrown instanceof BackendError ? thrown.answer : undefined);
  if (!refusal.success) return new Failure('unavailable', { cause: thrown, retryAfterS });
  const { key, retry_after_s: seconds } = refusal.data.error;
  return new Failure(key === 'rate_limited' ? 'overloaded' : key, {
    // This server, not its visitor, has sent too many requests.
    ...(key === 'rate_limited' && { note: 'the backend limits how often this server asks' }),
    ...(seconds !== undefined && { retryAfterS: seconds }),
    cause: thrown,
  });
}

/**
 * Reads a backend's answer for a link. Files are served only by the backend; a page can request a conversion's state
 * only from its own server, and pictures are relayed by it.
 * @param address of the call
 * @throws Failure `unavailable`
 */
function readResult(data: unknown, address: string): ResolveResult {
  const checked = resultSchema.safeParse(data);
  if (!checked.success)
    throw new Failure('unavailable', {
      cause: checked.error,
      retryAfterS,
      note: 'a backend answers otherwise',
    });
  const { origin } = new URL(address);
  const result = checked.data;
  const { cover_url } = result.post;
  return {
    ...result,
    post: { ...result.post, cover_url: cover_url === null ? null : pictureHere(cover_url, address) },
    options: result.options.map(({ status_href: _, preview_url = '', ...option }) => {
      const preview = pictureHere(preview_url, address);
      const url = URL.parse(option.href, address);
      if (url?.origin !== origin)
        throw new Failure('unavailable', { retryAfterS, note: 'a backend names files of somebody else' });
      const href = origin + url.pathname + url.search;
      return { ...option, href, ...(preview !== null && { preview_url: preview }) };
    }),
  };
}

/**
 * Makes what resolves links on other backends, each by the address of its call. It throws Failure, or the signal's reason.
 * @param observe called after every call; the failure is null for a success
 */
export function createResolveBackends(
  clientOf: (address: string) => BackendClient,
  observe: (address: string, failure: Failure | null) => void,
) {
  const clients = new Map<string, BackendClient>();
  return async (
    address: string,
    body: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ResolveResult> => {
    const client = clients.get(address) ?? clientOf(address);
    clients.set(address, client);
    try {
      const result = readResult(await client.post('', body, signal), address);
      observe(address, null);
      return result;
    } catch (thrown) {
      signal.throwIfAborted();
      const failure = thrown instanceof Failure ? thrown : asFailure(thrown);
      observe(address, failure);
      throw failure;
    }
  };
}

const isSound = ({ format }: ResolveResult['options'][number]) => format === 'mp3' || format === 'm4a';

/**
 * Gets a page's result from the configured backends: one after another while they fail for their own reasons, and the
 * sound in parallel. Without a result for the sound, the first one's is offered.
 */
export async function resolveAt(
  { places, sound }: PageBackends,
  ask: (place: ResolvePlace) => Promise<ResolveResult>,
): Promise<ResolveResult> {
  const [result, other] = await Promise.all([
    firstAvailable(places, ask),
    sound === null ? null : soundOf(sound, ask),
  ]);
  if (other === null || other.post.id !== result.post.id) return result;
  const { no_sound: _, ...rest } = result;
  return {
    ...rest,
    options: [...result.options.filter((option) => !isSound(option)), ...other.options.filter(isSound)],
    ...(other.no_sound !== undefined && { no_sound: other.no_sound }),
  };
}

async function firstAvailable<T>(
  places: readonly ResolvePlace[],
  ask: (place: ResolvePlace) => Promise<T>,
): Promise<T> {
  const [place = null, ...others] = places;
  try {
    return await ask(place);
  } catch (thrown) {
    const isAway = thrown instanceof Failure && statuses[thrown.key] >= 500;
    if (!isAway || others.length === 0) throw thrown;
    return firstAvailable(others, ask);
  }
}

/** Null after a failure, which the caller has logged. */
async function soundOf(
  place: string,
  ask: (place: ResolvePlace) => Promise<ResolveResult>,
): Promise<ResolveResult | null> {
  try {
    return await ask(place);
  } catch (thrown) {
    if (thrown instanceof Failure) return null;
    throw thrown;
  }
}
