import { describe, expect, test } from 'vitest';
import { createRateLimits } from '../../../server/http/limits/rate-limits.ts';
import { countHere } from '../../../stores/embedded/rate-counters.ts';
import { createLogIn } from './log-in.ts';
import { createSignedNames } from './signed-names.ts';

/** A log-in with the password `right`, in memory only. */
function openLogIn() {
  const counted: string[] = [];
  let compared = 0;
  const logIn = createLogIn({
    password: {
      sessionKey: new Uint8Array(32),
      matches: async (given) => {
        compared += 1;
        return given === 'right';
      },
    },
    sessions: { begin: async (block) => `session from ${block}` },
    devices: createSignedNames(new Uint8Array(32), 'device', Date.now),
    log: { add: async () => 1 },
    tries: { count: (block, kind) => void counted.push(`${block} ${kind}`) },
    rateLimits: createRateLimits(countHere),
  });
  const from = (block: string, password: string, device: string | null = null) =>
    logIn({ password, visitor: { key: `${block} 1`, block }, block, device });
  return { from, counted, compared: () => compared };
}

const deviceOf = (outcome: Awaited<ReturnType<ReturnType<typeof openLogIn>['from']>>) =>
  outcome.kind === 'in' ? outcome.device : null;

describe('log-in', () => {
  test('begins a session for the right password only', async () => {
    const { from, counted } = openLogIn();
    expect(await from('a', 'wrong')).toEqual({ kind: 'wrong' });
    expect(await from('a', 'right')).toMatchObject({ kind: 'in', session: 'session from a' });
    expect(counted).toEqual(['a failed']);
  });

  test('from one address block is refused after ten attempts, also with the right password, and then costs nothing', async () => {
    const { from, counted, compared } = openLogIn();
    for (let time = 0; time < 10; time++) await from('a', `guess ${time}`);
    for (let time = 0; time < 1000; time++)
      expect(await from('a', 'right')).toMatchObject({ kind: 'limited', retryAfterS: expect.any(Number) });
    expect(compared()).toBe(10);
    expect(counted.filter((what) => what === 'a limited')).toHaveLength(1000);
    expect(await from('b', 'right')).toMatchObject({ kind: 'in' });
  });

  test('from all blocks is limited, and a device that was here before still gets in', async () => {
    const { from, compared } = openLogIn();
    const device = deviceOf(await from('home', 'right'));
    for (let block = 0; block < 1000; block++) await from(`block ${block}`, 'guess');
    expect(compared()).toBe(80);
    expect(await from('home', 'right')).toMatchObject({ kind: 'limited' });
    expect(await from('elsewhere', 'right', device)).toMatchObject({ kind: 'in' });
  });

  test('with a stolen device has ten attempts, and a forged device adds none', async () => {
    const { from, compared } = openLogIn();
    const device = deviceOf(await from('home', 'right'));
    for (let time = 0; time < 100; time++) await from(`block ${time}`, 'guess', device);
    expect(compared()).toBe(11);
    for (let time = 0; time < 100; time++) await from('a', 'guess', `${device}x`);
    expect(compared()).toBe(21);
  });
});
