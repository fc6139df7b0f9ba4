import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openPassword, type SlowHash } from './password.ts';

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
  const password = await openPassword('zwölf Boxkämpfer', secret);
  expect(await password.matches('zwölf Boxkämpfer'.normalize('NFD'))).toBe(true);
  expect(await password.matches('zwolf Boxkampfer')).toBe(false);
  expect(await password.matches('')).toBe(false);
});

test('a wrong password costs the same work as the right one', async () => {
  const { hash, texts } = countingHash();
  const password = await openPassword('the right password', secret, hash);
  for (const given of ['the right password', 'the right passwor', '', 'x'.repeat(5000)]) {
    texts.length = 0;
    await password.matches(given);
    expect(texts).toEqual([given]);
  }
});

test('signs sessions with another key for another password or secret, and with the same key on all instances', async () => {
  const { hash } = countingHash();
  const keyOf = async (plain: string, of: Uint8Array) =>
    Buffer.from((await openPassword(plain, of, hash)).sessionKey).toString('hex');
  const key = await keyOf('the right password', secret);
  expect(await keyOf('the right password', secret)).toBe(key);
  expect(await keyOf('the other password', secret)).not.toBe(key);
  expect(await keyOf('the right password', Buffer.from('another secret'))).not.toBe(key);
});

test('hashes one of many simultaneous attempts at a time, lets few wait, and refuses the others without work', async () => {
  const { hash, texts, most } = countingHash();
  const password = await openPassword('the right password', secret, hash);
  texts.length = 0;
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => password.matches('guess')));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  expect(results.at(-1)).toMatchObject({ reason: { key: 'overloaded' } });
  expect(texts).toHaveLength(8);
  expect(most()).toBe(1);
  expect(await password.matches('the right password')).toBe(true);
});
