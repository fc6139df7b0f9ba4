import { expect, test } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import { serializeError } from '../logger.ts';
import { errorsWith } from './testing/errors-with.ts';

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

test('sent text makes no long line', () => {
  for (const thrown of Object.values(errorsWith(35_000)))
    expect(JSON.stringify(serializeError(thrown)).length).toBeLessThan(80_000);
});

test('writes what is not an error unchanged', () => {
  expect(serializeError('a word' as unknown as Error)).toBe('a word');
});

test('writes three levels of what an error carries, and thirty entries of each', () => {
  const many = Array.from({ length: 31 }, (_, n) => n);
  const fields = {
    many,
    named: Object.fromEntries(many.map((n) => [`n${n}`, n])),
    deep: { a: { b: { c: {} } } },
  };
  const {
    many: list,
    named,
    deep,
  } = serializeError(Object.assign(new Error('no'), fields)) as never as typeof fields;
  expect([list.length, Object.keys(named).length]).toEqual([30, 30]);
  expect(deep).toEqual({ a: { b: { c: '…' } } });
});
