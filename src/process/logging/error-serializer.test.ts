import { expect, test } from 'vitest';
import { z } from 'zod';
import { growthOf } from '../../../tests/support/growth.ts';
import { Failure } from '../../failures/failures.ts';
import { serializeError } from './error-serializer.ts';

const link = 'https://www.tiktok.com/@some.one/video/7301234567890123456';

test('writes an error with its kind, key, causes and stack, and without its post', () => {
  const cause = Object.assign(new Error(`no answer for ${link}`), { link, code: 'EFAIL' });
  const serialized = serializeError(new Failure('post_gone', { link, otherLink: link, cause, note: link }));
  expect(serialized).toMatchObject({
    ...{ type: 'Failure', key: 'post_gone' },
    message: 'post_gone: https://www.tiktok.com/… no answer for https://www.tiktok.com/…',
  });
  expect(serialized.stack).toContain('error-serializer.test.ts');
  expect(serialized.stack).toContain('caused by: Error: no answer');
  const several = new AggregateError([new Failure('post_gone', { link })], 'two ways');
  const text = JSON.stringify([serialized, serializeError(several)]);
  for (const trace of ['some.one', '7301234567890123456', 'otherLink']) expect(text).not.toContain(trace);
  expect(text).toContain('two ways');
});

/** Errors that contain sent text. @param length names of a body */
function errorsWith(length: number) {
  const body = Object.fromEntries(Array.from({ length }, (_, n) => [`name ${n}`, 'a'.repeat(10)]));
  const { error } = z.strictObject({}).safeParse(body);
  const failure = new Failure('request_invalid', { cause: error });
  const nested = { deep: [[[[[[body]]]]]], body, long: 'a.'.repeat(6 * length) };
  return {
    'a failure': failure,
    'an error of zod': error ?? failure,
    'an error with more': Object.assign(new Error('x'), nested),
  };
}

test('sent text makes no long line', () => {
  for (const thrown of Object.values(errorsWith(35_000)))
    expect(JSON.stringify(serializeError(thrown)).length).toBeLessThan(80_000);
});

const kinds = Object.keys(errorsWith(1)) as (keyof ReturnType<typeof errorsWith>)[];

test.each(kinds)('the time for sent text in %s grows linearly at most', (kind) => {
  const growth = growthOf((scale) => {
    const thrown = errorsWith(scale * 300)[kind];
    return () => void JSON.stringify(serializeError(thrown));
  });
  // 4 is linear, 16 is quadratic.
  expect(growth).toBeLessThan(6);
});

test('writes what is not an error unchanged', () => {
  expect(serializeError('a word' as unknown as Error)).toBe('a word');
});
