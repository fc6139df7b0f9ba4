import { expect, test } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import { shortResponse } from '../../http/responses/response.ts';
import type { PageCache } from '../../page-cache/page-cache.ts';
import { contextFor, siteFor } from '../testing/route-context.ts';
import { pageCache } from './page-cache.ts';
import type { UnknownPages } from './unknown-pages.ts';

const nothingKept = { peek: () => undefined, stale: () => undefined, find: async () => null };

/** The step for visitors over their limit, and the paths that it looked up. */
function refusingStep(forced: boolean | null) {
  const refuse = async () => {
    throw new Failure('rate_limited', { retryAfterS: 1 });
  };
  const lookedUp: string[] = [];
  const unknownPages: Partial<UnknownPages> = {
    has: async (_, asked) => lookedUp.push(asked) > 0,
  };
  const step = pageCache({
    cache: nothingKept as Partial<PageCache> as PageCache,
    configuration: siteFor(),
    origin: 'https://site.example',
    forced,
    administer: () => null,
    count: () => {},
    limit: { check: refuse, spend: refuse },
    unknownPages: unknownPages as UnknownPages,
    refuse: () => null,
  }).before(() => shortResponse(200));
  return { step, lookedUp };
}

test.each(['/nowhere', '/nowhere?url=1'])(
  'does not look up the cache at %s for a visitor who asks too often',
  async (path) => {
    const { step, lookedUp } = refusingStep(true);
    await expect(step(contextFor(path))).rejects.toMatchObject({ key: 'rate_limited' });
    expect(lookedUp).toEqual([]);
  },
);

test('a developer’s name for the site is valid on its own machine only', async () => {
  const { step } = refusingStep(null);
  const host = 'localhost:3000';
  expect(await step(contextFor('/?url=1', { host }, '127.0.0.1'))).toMatchObject({ status: 200 });
  expect(await step(contextFor('/?url=1', { host }, '::1'))).toMatchObject({ status: 200 });
  await expect(async () => step(contextFor('/?url=1', { host }))).rejects.toMatchObject({
    key: 'rate_limited',
  });
});
