import { asFailure, causesOf, type Failure } from '../../../failures/failures.ts';
import { withTimeLimit } from '../../async/time-limit.ts';
import type { TextRequest } from '../../network/contracts.ts';
import type { Post, PostReference } from '../../post/post.ts';
import type { Came, MatrixRow } from '../matrix.ts';
import { isPlatformError } from '../probed-breaker.ts';
import type { Door } from './identities/doors.ts';
import type { Identity } from './identities/identity.ts';
import { Jar } from './identities/jar.ts';
import { Blocked } from './responses/gates.ts';
import { homeUrl, type PageReading, readPage, requestPage } from './strategies/read-page.ts';

const limitMs = 5_000;

/**
 * Asks for a post's page as every identity with each of its HTTP versions, with a cold and a warm jar, one after the
 * other. The jars are its own, and no door, breaker or egress learns of it.
 * @throws the signal's reason
 */
export async function* askMatrix(
  { identities, ...reading }: Omit<PageReading, 'shape'> & { readonly identities: readonly Identity[] },
  reference: PostReference,
  signal: AbortSignal,
): AsyncGenerator<MatrixRow> {
  const { egress } = reference;
  for (const identity of identities) {
    for (const http of identity.http) {
      const door = { identity, http };
      const first = new Jar(reading.now);
      const cold = await ask(reading, door, first, reference, signal);
      yield { ...cold, jar: 'cold' };
      // There is nothing to warm a jar with, and the next wait would be as long.
      if (cold.came === 'no-answer') continue;
      // A jar that met a challenge would meet it again.
      const jar = cold.came === 'challenge' ? new Jar(reading.now) : first;
      await withTimeLimit(limitMs, signal, (inner) =>
        requestPage(reading, door, jar, { url: homeUrl, egress, signal: inner }),
      ).catch(() => signal.throwIfAborted());
      yield { ...(await ask(reading, door, jar, reference, signal)), jar: 'warm' };
    }
  }
}

async function ask(
  { network, ...reading }: Omit<PageReading, 'shape'>,
  door: Door,
  jar: Jar,
  reference: PostReference,
  signal: AbortSignal,
): Promise<Omit<MatrixRow, 'jar'>> {
  let [bytes, answeredBy] = [-1, door.http];
  const watched = {
    async fetchText(request: TextRequest) {
      const answer = await network.fetchText(request);
      bytes = answer.body.length;
      answeredBy = answer.http;
      return answer;
    },
  };
  const start = performance.now();
  const result = await withTimeLimit(limitMs, signal, (inner) =>
    readPage({ ...reading, network: watched }, door, jar, reference, inner),
  ).catch((thrown: unknown) => {
    signal.throwIfAborted();
    return asFailure(thrown);
  });
  const isPost = !(result instanceof Error);
  const downgrade = answeredBy === door.http ? '' : `answered by HTTP/${answeredBy}`;
  return {
    ...{ identity: door.identity.name, kind: door.identity.kind, http: door.http },
    came: isPost ? 'data' : cameOf(result, bytes >= 0),
    note: [isPost ? '' : causesOf(result), downgrade].filter(Boolean).join('; '),
    bytes: Math.max(0, bytes),
    ms: Math.round(performance.now() - start),
    ...contentOf(isPost ? result : null),
  };
}

function cameOf(failure: Failure, hasAnswered: boolean): Came {
  if (failure instanceof Blocked) return failure.by;
  if (failure.key === 'post_login_required') return 'log-in';
  if (failure.key === 'platform_throttled') return 'throttled';
  if (!hasAnswered) return 'no-answer';
  return isPlatformError(failure) || failure.key === 'internal' ? 'failed' : 'refused';
}

const contentOf = (post: Post | null) => ({
  encodings: post?.videos.length ?? 0,
  hd: post?.videos.some(({ width, height }) => Math.min(width, height) > 720) ?? false,
  captions: post?.captions?.length ?? 0,
});
