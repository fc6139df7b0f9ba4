import { expect, test } from 'vitest';
import { Failure, type FailureKey } from '../../failures/failures.ts';
import { soundOrNone } from './sound.ts';

const { signal } = new AbortController();
const failing = (thrown: unknown, given = signal) => soundOrNone(() => Promise.reject(thrown), given);

test.each<FailureKey>([
  ...(['media_unavailable', 'media_invalid', 'media_too_large', 'media_host_unknown'] as const),
  ...(['platform_timeout', 'platform_blocked', 'sound_missing', 'sound_unsupported'] as const),
  ...(['conversion_failed', 'conversion_timeout'] as const),
])('a sound that ends with %s costs a video its sound only', async (key) => {
  expect(await failing(new Failure(key))).toBeNull();
});

test('what concerns the whole post, this machine or the caller ends the video', async () => {
  for (const thrown of [new Failure('post_gone'), new Failure('storage_full'), new TypeError('x')])
    await expect(failing(thrown)).rejects.toBe(thrown);
  await expect(failing(Object.assign(new Error('disk'), { code: 'ENOSPC' }))).rejects.toThrow('disk');
  const left = AbortSignal.abort(new Failure('conversion_cancelled'));
  await expect(failing(new Failure('media_invalid'), left)).rejects.toMatchObject({
    key: 'conversion_cancelled',
  });
});
