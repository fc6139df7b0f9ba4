import { expect, test, vi } from 'vitest';
import { requestIds } from './request-ids.ts';

test('ids are all different and have the form of a UUID, of one process too when the counter begins anew', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1 - 2 ** -48);
  const next = requestIds();
  const other = requestIds();
  const ids = [next(), next(), next(), other()];
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
  vi.restoreAllMocks();
});
