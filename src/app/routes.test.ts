import { expect, test } from 'vitest';
import routes from './routes.ts';

test('no route is kept under a number, which would win over those before it', () => {
  const ids = routes.map(({ id }) => id);
  expect(ids).not.toContain(undefined);
  expect(ids.filter((id) => /^\d+$/.test(id ?? ''))).toEqual([]);
});
