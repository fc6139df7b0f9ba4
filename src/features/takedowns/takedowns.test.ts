import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { createTakedowns, nameOf, openTakedownList } from './takedowns.ts';

describe.each(engines)('$name', (engine) => {
  test('what one instance takes down, another knows after its next look, and forgets when it is lifted', async () => {
    await using fresh = await openFreshDatabase(engine);
    let now = 1000;
    const takedowns = createTakedowns(fresh.database.query, () => now++);
    const list = await openTakedownList(fresh.database.query);
    const post = { platform: 'tiktok', id: '7615133378163811813', handle: 'Some.One' };
    const name = nameOf(post.platform, post.id);
    expect(list.has(post)).toBe(false);
    expect(await list.refresh()).toBe(false);

    expect(await takedowns.add({ kind: 'post', name }, 'the link')).toBe(true);
    expect(await takedowns.add({ kind: 'post', name }, 'the link again')).toBe(false);
    expect(list.has(post)).toBe(false);
    expect(await list.refresh()).toBe(true);
    expect(list.has({ ...post, handle: null })).toBe(true);
    expect(list.has({ ...post, id: '7615133378163811814' })).toBe(false);
    expect(list.has({ ...post, platform: 'other' })).toBe(false);

    await takedowns.add({ kind: 'author', name: 'tiktok/some.one' }, '@Some.One');
    expect(await takedowns.remove({ kind: 'post', name })).toBe(true);
    expect(await takedowns.remove({ kind: 'post', name })).toBe(false);
    expect(await list.refresh()).toBe(true);
    expect(list.has({ ...post, handle: null })).toBe(false);
    expect(list.has(post)).toBe(true);
    expect(await takedowns.list()).toEqual([
      { kind: 'author', name: 'tiktok/some.one', url: '@Some.One', madeAt: expect.any(Number) as number },
    ]);

    await takedowns.remove({ kind: 'author', name: 'tiktok/some.one' });
    expect(await list.refresh()).toBe(false);
    expect(list.has(post)).toBe(false);
  });
});
