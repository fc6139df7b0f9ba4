import { expect, test } from 'vitest';
import routes from './routes.ts';

test('no route has a number as its key, which would take precedence over earlier routes', () => {
  const ids = routes.map(({ id }) => id);
  expect(ids).not.toContain(undefined);
  expect(ids.filter((id) => /^\d+$/.test(id ?? ''))).toEqual([]);
});
