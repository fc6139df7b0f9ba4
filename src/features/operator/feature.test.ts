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

test('refuses a short password, and a file beside a password or without operators', () => {
  expect(() => feature.variables.read({ variables: { OPERATOR_PASSWORD: 'elevenchars' } })).toThrow(
    /^OPERATOR_PASSWORD: [^\n]+$/,
  );
  const both = { OPERATOR_PASSWORD: 'a long password', OPERATOR_PASSWORDS_FILE: import.meta.filename };
  expect(() => feature.variables.read({ variables: both })).toThrow(
    /^OPERATOR_PASSWORDS_FILE: line 1: [^\n]+; it names nobody\nOPERATOR_PASSWORD: must not be set, because OPERATOR_PASSWORDS_FILE is$/,
  );
});
