import { expect, it } from 'vitest';
import { Failure, type FailureKey } from '../../failures/failures.ts';
import type { Post } from '../post/post.ts';
import { readFresh } from './fresh-source.ts';

const never = new AbortController().signal;
const postAt = (url: string) => ({ cover: { urls: [url], headers: {}, expiresAt: 0 } }) as unknown as Post;

/** Reads a file whose addresses fail with these keys, in order; returns the requested ones. */
async function readFailing(...keys: FailureKey[]) {
  const requested: (string | undefined)[] = [];
  let fresh = 0;
  const resolver = {
    resolve: async () => postAt(`fresh ${++fresh}`),
  };
  const reading = readFresh(
    resolver,
    postAt('known'),
    never,
    ({ cover }) => {
      if (cover === null) throw new Failure('option_missing');
      return { source: cover };
    },
    async ({ urls: [url] }) => {
      requested.push(url);
      const key = keys.shift();
      if (key !== undefined) throw new Failure(key);
      return 'bytes';
    },
  );
  const result = await reading.catch((error: Failure) => error.key);
  return { result, asked: requested };
}

it('reads the post again only when its file is unavailable, and only once', async () => {
  expect(await readFailing()).toEqual({ result: 'bytes', asked: ['known'] });
  expect(await readFailing('media_unavailable')).toEqual({ result: 'bytes', asked: ['known', 'fresh 1'] });
  expect(await readFailing('media_invalid')).toEqual({ result: 'media_invalid', asked: ['known'] });
  expect(await readFailing('media_unavailable', 'media_unavailable')).toEqual({
    result: 'media_unavailable',
    asked: ['known', 'fresh 1'],
  });
});
