import { expect, test } from 'vitest';
import { growthOf, linear } from '../../tests/support/growth.ts';
import { withoutPosts } from './without-posts.ts';

test.each(['a.', '-', 'tiktok', '@', '1', 'https://', '/', 'a1.com/'])('a long text of %s', (piece) => {
  const growth = growthOf((scale) => {
    const text = piece.repeat(500 * scale).slice(0, 4000 * scale);
    return () => withoutPosts(text);
  });
  expect(growth).toBeLessThan(linear);
});
