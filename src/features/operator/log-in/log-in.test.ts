import { describe, expect, test } from 'vitest';
import { createRateLimits } from '../../../server/http/limits/visitor-limits.ts';
import { countHere } from '../../../stores/embedded/rate-counters.ts';
import { createLogIn } from './log-in.ts';
import type { Operator } from './operators.ts';
import { createSignedNames } from './sessions.ts';

const anna: Operator = { name: 'anna', salt: new Uint8Array(), hash: new Uint8Array(), codeKey: null };
const ben: Operator = { ...anna, name: 'ben', codeKey: 'KEY' };

/** A log-in with the password `right` and the code `123456`, in memory only. */
function openLogIn({ areNamed = false } = {}) {
  const counted: string[] = [];
  const logged: string[] = [];
  let compared = 0;
  const logIn = createLogIn({
    operators: { areNamed, all: async () => (areNamed ? [anna, ben] : [{ ...anna, name: '' }]) },
    matches: async (operator, given) => {
      compared += 1;
      return operator !== null && given === 'right';
    },
    codes: { take: async (_operator, _key, code) => code === '123456' },
    sessions: { begin: async (block) => `session from ${block}` },
    devicesOf: ({ name }) => createSignedNames(new Uint8Array(32), `device.${name}`, Date.now),
    log: {
      add: async ({ operator, outcome, text }) => logged.push(`${operator} ${outcome} ${text}`.trim()),
    },
    tries: { count: (block, kind) => void counted.push(`${block} ${kind}`) },
    rateLimits: createRateLimits(countHere),
  });
  const from = (
    block: string,
    password: string,
    device: string | null = null,
    who: { name?: string; code?: string } = {},
  ) => logIn({ name: '', code: '', ...who, password, visitor: { key: `${block} 1`, block }, block, device });
  return { from, counted, logged, compared: () => compared };
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

  test('of several operators asks whose it is, and for the code of those who have a second factor', async () => {
    const { from, logged } = openLogIn({ areNamed: true });
    const tryAs = async (name: string, code = '', password = 'right') =>
      (await from('a', password, null, { name, code })).kind;
    expect(await tryAs('anna')).toBe('in');
    expect(await tryAs(' ben ', '123456')).toBe('in');
    for (const [name, code, password] of [
      ['ben', ''],
      ['ben', '654321'],
      ['nobody', '123456'],
      ['', ''],
      ['ben', '123456', 'wrong'],
    ] as const)
      expect(await tryAs(name, code, password)).toBe('wrong');
    const wrongCode = 'ben refused The password was right, and the code was wrong or had been used.';
    expect(logged).toEqual(['anna done', 'ben done', wrongCode, wrongCode]);
  });

  test('with a stolen password tries few codes, from all blocks, and a device that was here before still gets in', async () => {
    const { from, logged } = openLogIn({ areNamed: true });
    const ben = { name: 'ben', code: '123456' };
    const device = deviceOf(await from('home', 'right', null, ben));
    logged.length = 0;
    const kinds = new Set<string>();
    for (let block = 0; block < 50; block++)
      kinds.add((await from(`block ${block}`, 'right', null, { name: 'ben', code: `${block}` })).kind);
    expect([...kinds]).toEqual(['wrong', 'limited']);
    expect(logged).toHaveLength(9);
    expect(await from('home', 'right', null, ben)).toMatchObject({ kind: 'limited' });
    // Nobody shuts out who was here before.
    expect(await from('elsewhere', 'right', device, ben)).toMatchObject({ kind: 'in' });
  });

  test('of one operator makes no device of another one', async () => {
    const { from, compared } = openLogIn({ areNamed: true });
    const device = deviceOf(await from('home', 'right', null, { name: 'anna' }));
    for (let time = 0; time < 100; time++) await from('a', 'guess', device, { name: 'ben' });
    expect(compared()).toBe(11);
  });
});
