import { createHash } from 'node:crypto';
import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../../stores/contracts/testing/services/databases.ts';
import {
  codeAddress,
  createCodes,
  createPasswordMatch,
  newCodeKey,
  operatorWith,
  type SlowHash,
} from './credentials.ts';

const secret = Buffer.from('a secret of the site, long enough');

/** Counts its calls, and how many run at once. */
function countingHash() {
  const texts: string[] = [];
  let running = 0;
  let most = 0;
  const hash: SlowHash = async (text, salt) => {
    texts.push(text);
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return createHash('sha256').update(salt).update(text).digest();
  };
  return { hash, texts, most: () => most };
}

test('recognises the password by its hash, however its letters are composed', async () => {
  const operator = await operatorWith('zwölf Boxkämpfer', secret);
  const matches = createPasswordMatch();
  expect(await matches(operator, 'zwölf Boxkämpfer'.normalize('NFD'))).toBe(true);
  expect(await matches(operator, 'zwolf Boxkampfer')).toBe(false);
  expect(await matches(operator, '')).toBe(false);
});

test('a wrong password, or one of nobody, costs the same work as the right one', async () => {
  const { hash, texts } = countingHash();
  const operator = await operatorWith('the right password', secret, hash);
  const matches = createPasswordMatch(hash);
  for (const given of ['the right password', 'the right passwor', '', 'x'.repeat(5000)])
    for (const one of [operator, null]) {
      texts.length = 0;
      expect(await matches(one, given)).toBe(one !== null && given === 'the right password');
      expect(texts).toEqual([given]);
    }
});

test('hashes one of many simultaneous attempts at a time, lets few wait, and refuses the others without work', async () => {
  const { hash, texts, most } = countingHash();
  const operator = await operatorWith('the right password', secret, hash);
  const matches = createPasswordMatch(hash);
  texts.length = 0;
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => matches(operator, 'guess')));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  expect(results.at(-1)).toMatchObject({ reason: { key: 'overloaded' } });
  expect(texts).toHaveLength(8);
  expect(most()).toBe(1);
  expect(await matches(operator, 'the right password')).toBe(true);
});

const stepMs = 30_000;
const start = 1_800_000_000_000;
/** RFC 6238, appendix B: `12345678901234567890` in base32. */
const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const codeAt = (timestamp: number) => new TOTP({ secret: key }).generate({ timestamp });

test('a new key is of its own, and is in the address for authenticator apps', () => {
  const made = newCodeKey();
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  expect(newCodeKey()).not.toBe(made);
  const address = codeAddress('Ferry: Ltd', 'anna', made);
  expect(address).toMatch(/^otpauth:\/\/totp\/Ferry/);
  expect(URL.parse(address)?.searchParams.get('secret')).toBe(made);
});

describe.each(engines)('on $name', (engine) => {
  test('a code is that of RFC 6238, of this step or a neighbour, and counts once on all instances', async () => {
    await using fresh = await openFreshDatabase(engine);
    let now = 59_000;
    const open = () => createCodes(fresh.database.query, () => now);
    const [here, elsewhere] = [open(), open()];
    expect(await here.take('rfc', key, '287082')).toBe(true);

    now = start;
    for (const offMs of [-2 * stepMs, 2 * stepMs])
      expect(await here.take('anna', key, codeAt(now + offMs))).toBe(false);
    for (const wrong of ['', '0', 'abcdef', `${codeAt(now)}0`, '\u0000'])
      expect(await here.take('anna', key, wrong)).toBe(false);
    expect(await here.take('anna', key, codeAt(now - stepMs))).toBe(true);
    const spaced = codeAt(now).replace(/^.../, '$& ');
    const taken = await Promise.all([here, elsewhere, here].map((one) => one.take('anna', key, spaced)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await elsewhere.take('anna', key, codeAt(now - stepMs))).toBe(false);
    expect(await elsewhere.take('ben', key, codeAt(now))).toBe(true);
    expect(await elsewhere.take('anna', key, codeAt(now + stepMs))).toBe(true);
    now += stepMs;
    expect(await here.take('anna', key, codeAt(now))).toBe(false);
    now += stepMs;
    expect(await here.take('anna', key, codeAt(now))).toBe(true);
  });
});
