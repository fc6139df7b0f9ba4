import { Failure } from '../../../../failures/failures.ts';
import type { PostReference } from '../../../post/post.ts';
import type { RequestBudget } from '../../extractor.ts';
import { Doors } from '../identities/doors.ts';
import { makeIdentities } from '../identities/identities.ts';
import type { Identity } from '../identities/identity.ts';
import { Jars } from '../identities/jars.ts';
import { pageStrategy } from '../strategies/page.ts';
import { fakeNetwork, never, now, pageUrl, phoneUrl, videoReference } from './platform-fake.ts';

export const identities = makeIdentities(undefined, 'Clipferry/1.0');
const [chrome, firefox] = identities;
/** Two desktop browsers. */
export const desktops = [chrome, firefox].filter((one) => one !== undefined);
export const phones = identities.filter(({ kind }) => kind === 'phone');

/** The page with these replies of the platform, seen by these identities, and its requests. */
export function strategy(
  replies: Parameters<typeof fakeNetwork>[0][string],
  list: readonly Identity[] = desktops.map((one) => ({ ...one, http: ['1.1'] })),
  home: Parameters<typeof fakeNetwork>[0][string] = { status: 404 },
) {
  const { network, requests } = fakeNetwork({
    [pageUrl]: replies,
    [phoneUrl]: replies,
    'https://www.tiktok.com/': home,
  });
  const doors = new Doors(list);
  const reader = pageStrategy({
    network,
    strategy: 'tiktok/page',
    doors,
    jars: new Jars(() => now),
    now: () => now,
  });
  return {
    read: (reference: PostReference = videoReference, budget?: RequestBudget) =>
      reader.read(reference, never, budget),
    requests,
    doors,
  };
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
