import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { createTakedowns, nameOf, openTakedownList } from './takedowns.ts';

const forEver = { reason: '', endsAt: null };

describe.each(engines)('$name', (engine) => {
  test('what one instance takes down, another knows after its next check, and forgets when it is lifted', async () => {
    await using fresh = await openFreshDatabase(engine);
    let now = 1000;
    const takedowns = createTakedowns(fresh.database.query, () => now++);
    const list = await openTakedownList(fresh.database.query);
    const post = { platform: 'tiktok', id: '7615133378163811813', handle: 'Some.One' };
    const name = nameOf(post.platform, post.id);
    expect(list.has(post)).toBe(false);
    expect(await list.refresh()).toBe(false);

    expect(await takedowns.add({ kind: 'post', name }, { url: 'the link', ...forEver })).toBe(true);
    expect(await takedowns.add({ kind: 'post', name }, { url: 'the link again', ...forEver })).toBe(false);
    expect(list.has(post)).toBe(false);
    expect(await list.refresh()).toBe(true);
    expect(list.has({ ...post, handle: null })).toBe(true);
    expect(list.has({ ...post, id: '7615133378163811814' })).toBe(false);
    expect(list.has({ ...post, platform: 'other' })).toBe(false);

    await takedowns.add({ kind: 'author', name: 'tiktok/some.one' }, { url: '@Some.One', ...forEver });
    expect(await takedowns.remove({ kind: 'post', name })).toBe(true);
    expect(await takedowns.remove({ kind: 'post', name })).toBe(false);
    expect(await list.refresh()).toBe(true);
    expect(list.has({ ...post, handle: null })).toBe(false);
    expect(list.has(post)).toBe(true);
    expect(await takedowns.list()).toEqual([
      {
        ...{ kind: 'author', name: 'tiktok/some.one', url: '@Some.One', ...forEver },
        madeAt: expect.any(Number) as number,
      },
    ]);

    await takedowns.remove({ kind: 'author', name: 'tiktok/some.one' });
    expect(await list.refresh()).toBe(false);
    expect(list.has(post)).toBe(false);
  });

  test('a takedown with an end expires, can be repeated, and the log records all of it', async () => {
    await using fresh = await openFreshDatabase(engine);
    let now = 1000;
    const takedowns = createTakedowns(fresh.database.query, () => now);
    const list = await openTakedownList(fresh.database.query, () => now);
    const author = { kind: 'author', name: 'tiktok/one' } as const;
    const post = { platform: 'tiktok', id: '7615133378163811813', handle: 'One' };
    const facts = { url: '@one', reason: 'court order 5', endsAt: 2000 };

    expect(await takedowns.add(author, facts)).toBe(true);
    expect(await list.refresh()).toBe(true);
    expect(list.has(post)).toBe(true);
    now = 2000;
    expect(list.has(post)).toBe(false);
    expect(await takedowns.list()).toEqual([]);
    expect(await takedowns.remove(author)).toBe(false);

    expect(await takedowns.add(author, { ...facts, endsAt: 1500 + now })).toBe(true);
    expect(await list.refresh()).toBe(true);
    expect(list.has(post)).toBe(true);
    expect(await takedowns.remove(author)).toBe(true);
    const log = await takedowns.log({ limit: 10 });
    expect(log.map(({ action, reason, endsAt }) => [action, reason, endsAt])).toEqual([
      ['lifted', 'court order 5', 3500],
      ['added', 'court order 5', 3500],
      ['added', 'court order 5', 2000],
    ]);
  });
});
