import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCookie } from '../../../server/http/visitor/cookies.ts';
import { engines, openFreshDatabase } from '../../../stores/contracts/testing/services/databases.ts';
import { createWaitingTally } from '../../../stores/tally/tally.ts';
import { createTallyStore } from '../../../stores/tally/tally-store.ts';
import { createTries } from './log-in.ts';
import type { Operator } from './operators.ts';
import { createSessions, createSignedNames, isToken, sessionMs } from './sessions.ts';

const key = new Uint8Array(32).fill(1);
const anna: Operator = { name: 'anna', salt: key, hash: key, codeKey: null };
const ben: Operator = { ...anna, name: 'ben' };

describe.each(engines)('$name', (engine) => {
  test('a session lasts until its end or its log-out, on all instances, and only while its operator has the same password', async () => {
    await using fresh = await openFreshDatabase(engine);
    let now = 1_700_000_000_000;
    let operators = [anna, ben];
    const open = (of = key) =>
      createSessions(fresh.database.query, of, { all: async () => operators }, () => now);
    const [here, elsewhere] = [open(), open()];
    const text = await here.begin('203.0.113.0/24', anna);
    const session = await elsewhere.find(text);
    expect(session).toMatchObject({ operator: 'anna' });
    expect(await open(new Uint8Array(32)).find(text)).toBeNull();
    expect(await here.find(null)).toBeNull();

    const other = await elsewhere.begin('203.0.113.0/24', anna);
    expect(other).not.toBe(text);
    expect(await here.count()).toBe(2);
    if (session !== null) await here.end(session);
    expect(await elsewhere.find(text)).toBeNull();
    expect(await elsewhere.find(other)).not.toBeNull();

    const ofBen = await here.begin('203.0.113.0/24', ben);
    for (const changed of [
      [ben],
      [{ ...anna, hash: new Uint8Array(32) }, ben],
      [{ ...anna, codeKey: 'A' }, ben],
    ]) {
      operators = changed;
      expect(await here.find(other)).toBeNull();
      expect(await here.find(ofBen)).not.toBeNull();
      expect(await here.count()).toBe(1);
    }
    operators = [anna];

    now += sessionMs;
    expect(await here.find(other)).toBeNull();
    expect(await here.count()).toBe(0);
    const third = await here.begin('203.0.113.0/24', anna);
    expect(await here.endAll()).toBe(1);
    expect(await here.find(third)).toBeNull();
  });

  test('the token of a session is unique', async () => {
    await using fresh = await openFreshDatabase(engine);
    const sessions = createSessions(fresh.database.query, key, { all: async () => [anna] }, Date.now);
    const [one, other] = [
      await sessions.find(await sessions.begin('a', anna)),
      await sessions.find(await sessions.begin('a', anna)),
    ];
    if (one === null || other === null) throw new Error('no session');
    expect(isToken(one, one.token)).toBe(true);
    for (const wrong of [other.token, '', null, `${one.token}x`, one.name, new Blob([one.token])])
      expect(isToken(one, wrong)).toBe(false);
  });

  test('stores a million attempts from everywhere in a few rows', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { query } = fresh.database;
    const now = () => 86_400_000 * 100;
    const tally = createWaitingTally(createTallyStore(query, now), now);
    const tries = createTries(query, tally, now);
    for (let round = 0; round < 3; round++) {
      tries.count('block 0 1', 'failed');
      for (let block = 0; block < 400; block++) tries.count(`block ${round} ${block}`, 'limited');
      await tally.write();
    }
    const rows = await tries.list(1000);
    expect(rows.length).toBeLessThanOrEqual(51);
    expect(rows.reduce((sum, { limited }) => sum + limited, 0)).toBe(1200);
    expect(rows.find(({ block }) => block === 'block 0 1')).toMatchObject({ failed: 3, day: 100 });
  });
});

describe('a signed name', () => {
  const key = randomBytes(32);
  const now = () => 1_700_000_000_000;
  const names = createSignedNames(key, 'session', now);

  test('is read from the text it was given with, and is unique', () => {
    const one = names.make(1000);
    expect(names.read(one.text)).toEqual({ name: one.name, endsAt: now() + 1000 });
    expect(names.make(1000).name).not.toBe(one.name);
  });

  test('expires at its end', () => {
    const { text } = names.make(1000);
    expect(createSignedNames(key, 'session', () => now() + 999).read(text)).not.toBeNull();
    expect(createSignedNames(key, 'session', () => now() + 1000).read(text)).toBeNull();
  });

  test('is refused with another key or kind', () => {
    const { text } = names.make(1000);
    expect(createSignedNames(randomBytes(32), 'session', now).read(text)).toBeNull();
    expect(createSignedNames(key, 'device', now).read(text)).toBeNull();
  });

  test('cannot be lengthened', () => {
    const [name, , signature] = names.make(1000).text.split('.');
    expect(names.read(`${name}.${(now() + 9_000_000).toString(36)}.${signature}`)).toBeNull();
  });

  test('is not in any other text, whatever the text is', () => {
    const { text } = names.make(1000);
    const sign = fc.constantFrom(...'abcXYZ019-_.=;, \u0000é');
    fc.assert(
      fc.property(fc.nat(text.length - 2), sign, (at, other) => {
        fc.pre(text[at] !== other);
        expect(names.read(text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
      }),
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (any) => names.read(any) === null));
    fc.assert(
      fc.property(
        fc.stringMatching(/^[\w-]{22}\.[0-9a-z]{1,9}\.[\w-]{43}$/),
        (any) => names.read(any) === null,
      ),
    );
  });

  test('is found among any cookies that a browser sends, and nothing else is', () => {
    const { text, name } = names.make(1000);
    const other = fc.stringMatching(/^[!#$%&'*+.^`|~\w-]{1,10}=[!-+\--:<-~]{0,20}$/);
    fc.assert(
      fc.property(fc.array(other, { maxLength: 5 }), fc.array(other, { maxLength: 5 }), (before, after) => {
        fc.pre(before.every((cookie) => !cookie.startsWith('operator-session=')));
        const header = [...before, `operator-session=${text}`, ...after].join('; ');
        expect(names.read(readCookie(header, 'operator-session'))?.name).toBe(name);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (header) => {
        expect(names.read(readCookie(header, 'operator-session'))).toBeNull();
      }),
    );
  });
});
