import type { Logger } from 'pino';
import { expect, test, vi } from 'vitest';
import { warnOfUnnamed } from './read-site-configuration.ts';

const warnings = (unnamed: Parameters<typeof warnOfUnnamed>[0]['unnamed']) => {
  const warn = vi.fn();
  warnOfUnnamed({ unnamed }, { warn } as unknown as Logger);
  return warn.mock.calls;
};

test("the start lists what the configuration does not say about the site's operator", () => {
  expect(warnings(['operator_address', 'since'])).toEqual([
    [{ missing: ['operator_address', 'since'] }, expect.stringContaining('who runs the site')],
  ]);
});

test('prints nothing when nothing is missing', () => {
  expect(warnings([])).toEqual([]);
});
