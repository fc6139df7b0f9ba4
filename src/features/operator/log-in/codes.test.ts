import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../../stores/contracts/testing/services/databases.ts';
import { codeAddress, createCodes, newCodeKey } from './codes.ts';

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
