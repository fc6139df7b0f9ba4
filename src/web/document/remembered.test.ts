import { expect, test } from 'vitest';
import { remembered } from './remembered.ts';

test('the same name and the same sources give the same object', () => {
  const give = remembered<object>(10);
  const [configuration, messages] = [{}, {}];
  const first = give('/', [configuration, messages], () => ({}));
  expect(give('/', [configuration, messages], () => ({}))).toBe(first);
  expect(give('/other', [configuration, messages], () => ({}))).not.toBe(first);
});

test('another source has it made anew', () => {
  const give = remembered<{ n: number }>(10);
  const configuration = {};
  give('/', [configuration, { texts: 'old' }], () => ({ n: 1 }));
  expect(give('/', [configuration, { texts: 'new' }], () => ({ n: 2 }))).toEqual({ n: 2 });
});

test('no more than so many are remembered', () => {
  const give = remembered<object>(2);
  const first = give('/1', [], () => ({}));
  give('/2', [], () => ({}));
  give('/3', [], () => ({}));
  expect(give('/1', [], () => ({}))).not.toBe(first);
});
