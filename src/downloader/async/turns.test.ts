import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

const { signal } = new AbortController();

/** A task that ends on command. */
function task(name: string, begun: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return {
    run: () => {
      begun.push(name);
      return promise;
    },
    end: () => resolve(name),
    fail: () => reject(new Error(name)),
  };
}

/** Lets every promise settle that can. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('limits the tasks of each owner, in order of arrival, and owners do not wait for each other', async () => {
  const turns = new Turns();
  const begun: string[] = [];
  const take = turns.of('one', 2);
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => task(name, begun));
  const results = [a, b, c, d].map((one) => take(signal, () => one?.run() ?? Promise.reject()));
  void turns.of('other', 2)(signal, task('elsewhere', begun).run);
  await settle();
  expect(begun).toEqual(['a', 'b', 'elsewhere']);
  b?.end();
  await settle();
  expect(begun).toEqual(['a', 'b', 'elsewhere', 'c']);
  for (const one of [a, c, d]) one?.end();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
});

test('puts what completes something before what waits', async () => {
  const begun: string[] = [];
  const take = new Turns().of('one', 1);
  const [first, waiting, next] = ['first', 'waiting', 'next'].map((name) => task(name, begun));
  const results = [
    take(signal, () => first?.run() ?? Promise.reject()),
    take(signal, () => waiting?.run() ?? Promise.reject()),
    take(signal, () => next?.run() ?? Promise.reject(), true),
  ];
  for (const one of [first, next, waiting]) one?.end();
  await Promise.all(results);
  expect(begun).toEqual(['first', 'next', 'waiting']);
});

test('a failed task returns its turn, and a caller who leaves while waiting takes none', async () => {
  const turns = new Turns();
  const begun: string[] = [];
  const take = turns.of('one', 1);
  const [first, left, last] = ['first', 'left', 'last'].map((name) => task(name, begun));
  const failing = take(signal, () => first?.run() ?? Promise.reject());
  const leaving = new AbortController();
  const leaver = take(leaving.signal, () => left?.run() ?? Promise.reject());
  const waiting = take(signal, () => last?.run() ?? Promise.reject());
  leaving.abort(new Error('left'));
  await expect(leaver).rejects.toThrow('left');
  first?.fail();
  await expect(failing).rejects.toThrow('first');
  last?.end();
  expect(await waiting).toBe('last');
  expect(begun).toEqual(['first', 'last']);
  await expect(take(leaving.signal, async () => 'never')).rejects.toThrow('left');
});
