import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPasswordMatch, operatorWith, type SlowHash } from './password.ts';

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
