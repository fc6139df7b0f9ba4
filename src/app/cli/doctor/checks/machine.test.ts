import { afterEach, expect, test, vi } from 'vitest';
import type { CheckContext } from '../../../../server/commands/checks.ts';
import { engines } from '../../../../stores/contracts/testing/services/databases.ts';
import { clock, skewFinding } from './machine.ts';

afterEach(() => void vi.useRealTimers());

test.each([
  [0.4, 'ok', '0.4 s ahead of them'],
  [-4, 'ok', '4.0 s behind them'],
  [0, 'ok', '0.0 s ahead of them'],
  [5, 'ok', '5.0 s ahead of them'],
  [5.1, 'warning', '5.1 s ahead of them'],
  [-60, 'warning', '60.0 s behind them'],
  [60.1, 'error', '60.1 s ahead of them'],
  [-3600, 'error', '3600.0 s behind them'],
  [Number.NaN, 'warning', 'them does not say what time it is'],
] as const)('%d s: %s', (s, level, what) => {
  expect(skewFinding(s, 'them')).toMatchObject({ level, what });
});

const postgresql = engines.find(({ name }) => name === 'postgresql');

test.runIf(postgresql !== undefined)('is compared with that of the database', async () => {
  const place = await postgresql?.makePlace();
  const { DATABASE_URL } = place?.environment ?? {};
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  const findings = await clock.run({ environment: { DATABASE_URL } } as CheckContext);
  vi.useRealTimers();
  await place?.remove();
  expect(findings).toMatchObject([
    { level: 'error', what: expect.stringMatching(/^86\d{3}\.\d s ahead of the database$/) },
  ]);
});
