import { Failure } from '../../../../failures/failures.ts';
import type { PostReference } from '../../../posts/post.ts';
import { pageStrategy } from '../strategies/page.ts';
import { UserAgents } from '../strategies/user-agents.ts';
import { fakeNetwork, never, now, pageUrl, videoReference } from './platform-fake.ts';

/** The strategy with these replies of the platform, and its requests. */
export function strategy(replies: Parameters<typeof fakeNetwork>[0][string], make = pageStrategy) {
  const { network, requests } = fakeNetwork({ [pageUrl]: replies });
  const agents = new UserAgents('page', ['Mozilla/5.0 one', 'Mozilla/5.0 two'], () => now);
  const reader = make({ network, agents, now: () => now });
  return { read: (reference: PostReference = videoReference) => reader.read(reference, never), requests };
}

/** @throws everything that is not a failure */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const thrown = await promise.then(
    () => new Error('no failure'),
    (reason: unknown) => reason,
  );
  if (thrown instanceof Failure) return thrown;
  throw thrown;
}
