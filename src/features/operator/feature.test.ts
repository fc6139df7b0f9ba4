import { expect, test, vi } from 'vitest';
import type { Core } from '../../server/feature.ts';
import feature from './feature.ts';

const loaded = vi.hoisted(() => ({ server: false }));
vi.mock('./server.ts', () => {
  loaded.server = true;
  return { openDesk: async () => ({}) };
});

const coreWith = (OPERATOR_PASSWORD: string | undefined) =>
  ({
    environment: { variables: OPERATOR_PASSWORD === undefined ? {} : { OPERATOR_PASSWORD } },
  }) as unknown as Core;

test('loads nothing of the desk without a password', async () => {
  expect(await feature.open(coreWith(undefined))).toEqual({});
  expect(loaded.server).toBe(false);
  await feature.open(coreWith('a long password'));
  expect(loaded.server).toBe(true);
});

test('refuses a short password', () => {
  expect(() => feature.variables.read({ variables: { OPERATOR_PASSWORD: 'elevenchars' } })).toThrow(
    /^OPERATOR_PASSWORD: [^\n]+$/,
  );
});
