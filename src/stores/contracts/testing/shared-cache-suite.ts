import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DroppedEntries, SharedCache } from '../shared-cache.ts';

/** An implementation's contribution to the suite. */
export interface SharedCachePlace {
  /** The texts as two processes see them; the limit is 10,000 bytes. */
  readonly one: SharedCache;
  readonly other: SharedCache;
  close(): Promise<void>;
}

/** The suite for every implementation of {@link SharedCache}. */
export function describeSharedCache(name: string, makePlace: () => Promise<SharedCachePlace>): void {
  describe(`shared cache: ${name}`, () => {
    let place: SharedCachePlace;
    let one: SharedCache;
    let other: SharedCache;

    const keep = (key: string, text: string, label = 'v1', lifeMs = 60_000, store = one) =>
      store.keep(key, { text: Buffer.from(text), label }, lifeMs, store.generation);
    const textOf = async (key: string, store = other) => (await store.get(key))?.text.toString() ?? null;
    const keysOf = async (store: SharedCache) => [...(await store.labels()).keys()].toSorted();

    beforeEach(async () => {
      place = await makePlace();
      ({ one, other } = place);
      await vi.waitFor(() => expect([one.generation, other.generation]).not.toContain(null), 15_000);
    });
    afterEach(() => place.close());

    it('keeps a text for everybody, with its label, byte for byte', async () => {
      const text = Buffer.from([0, 10, 255, 13, 10, 0]);
      await one.keep('a/b?c', { text, label: '1.2' }, 60_000, one.generation);
      for (const store of [one, other]) {
        const found = await store.get('a/b?c');
        expect(found?.text.equals(text)).toBe(true);
        expect(found?.label).toBe('1.2');
        expect(await store.labels()).toEqual(new Map([['a/b?c', '1.2']]));
      }
      expect(await other.get('a/b')).toBeNull();
    });

    it('replaces an older text by a newer one', async () => {
      await keep('a', 'old', 'v1');
      await keep('a', 'new', 'v2', 60_000, other);
      expect(await textOf('a', one)).toBe('new');
      expect(await one.labels()).toEqual(new Map([['a', 'v2']]));
    });

    it('forgets a text when its lifetime is over', async () => {
      await keep('short', 'x', 'v1', 30);
      await keep('long', 'y');
      await vi.waitFor(async () => expect(await textOf('short')).toBeNull(), 15_000);
      await vi.waitFor(async () => expect(await keysOf(other)).toEqual(['long']), 15_000);
    });

    it.each<[DroppedEntries, string[]]>([
      [{ keys: ['en/x', 'nothing'] }, ['de/x', 'en/y']],
      [{ suffixes: ['/y'] }, ['de/x', 'en/x']],
      [{ suffixes: ['/x', 'en/y'] }, []],
      ['all', []],
      [{ keys: [] }, ['de/x', 'en/x', 'en/y']],
    ])('drops %j for everybody and reports it', async (dropped, left) => {
      for (const key of ['en/x', 'de/x', 'en/y']) await keep(key, key);
      const received: DroppedEntries[] = [];
      other.onDrop((what) => received.push(what));
      expect(await one.drop(dropped)).toBe(3 - left.length);
      for (const store of [one, other]) expect(await keysOf(store)).toEqual(left);
      expect(await textOf('en/x')).toBe(left.includes('en/x') ? 'en/x' : null);
      await vi.waitFor(() => expect(received).toEqual([dropped]), 15_000);
    });

    it('does not keep work that began before a drop, wherever the drop was', async () => {
      const before = other.generation;
      await one.drop({ keys: [] });
      await other.keep('a', { text: Buffer.from('old'), label: '' }, 60_000, before);
      expect(await textOf('a', one)).toBeNull();
      await vi.waitFor(() => expect(other.generation).toBe(one.generation), 15_000);
      await keep('a', 'new', '', 60_000, other);
      expect(await textOf('a', one)).toBe('new');
    });

    it('limits its bytes: old texts go first, and no text takes all', async () => {
      await keep('first', 'x'.repeat(1900), '', 50_000);
      for (const key of ['b', 'c', 'd']) await keep(key, 'x'.repeat(1900));
      await keep('huge', 'x'.repeat(9000));
      expect(await keysOf(other)).toEqual(['b', 'c', 'd', 'first']);
      await keep('e', 'x'.repeat(1900));
      expect(await keysOf(other)).toEqual(['b', 'c', 'd', 'e']);
      // A text stored twice counts once, and a dropped one not at all.
      for (let n = 0; n < 10; n += 1) await keep('b', 'x'.repeat(1900));
      expect(await keysOf(other)).toEqual(['b', 'c', 'd', 'e']);
      await one.drop('all');
      for (const key of ['b', 'c', 'd', 'e']) await keep(key, 'x'.repeat(1900));
      expect(await keysOf(other)).toEqual(['b', 'c', 'd', 'e']);
    });
  });
}
