import { expect, test, vi } from 'vitest';
import type { FeatureContext } from '../../web/feature.ts';
import server from './server.ts';

const loaded = vi.hoisted(() => ({ part: false }));
vi.mock('./part.ts', () => {
  loaded.part = true;
  return { assembleDesk: async () => ({ parts: {} }) };
});

const contextWith = (OPERATOR_PASSWORD: string | undefined) =>
  ({ environment: { OPERATOR_PASSWORD } }) as unknown as FeatureContext;

test('loads nothing of the desk without a password', async () => {
  expect(await server.assemble(contextWith(undefined))).toEqual({});
  expect(loaded.part).toBe(false);
  await server.assemble(contextWith('a long password'));
  expect(loaded.part).toBe(true);
});
