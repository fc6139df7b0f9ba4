import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leastPartBytes, type ObjectStore } from '../object-store.ts';

/** An implementation's contribution to the suite: an empty store. */
interface ObjectStorePlace {
  readonly store: ObjectStore;
  remove(): Promise<void>;
}

const description = {
  contentType: 'application/octet-stream',
  metadata: { length: '5', 'made-at': '1.5', etag: 'a!~' },
};

/** The suite for every implementation of {@link ObjectStore}. */
export function describeObjectStore(name: string, makePlace: () => Promise<ObjectStorePlace>): void {
  describe(`object store: ${name}`, () => {
    let place: ObjectStorePlace;
    let store: ObjectStore;
    beforeEach(async () => {
      place = await makePlace();
      store = place.store;
    });
    afterEach(() => place.remove());

    const put = (key: string, text: string) => store.put(key, Buffer.from(text), description);
    async function read(key: string, from?: { start: number; etag: string }) {
      const object = await store.open(key, from);
      return object === null ? null : Buffer.concat(await object.body.toArray()).toString();
    }
    async function keys(prefix: string) {
      const found: string[] = [];
      for await (const { key, ageS } of store.list(prefix)) {
        expect(ageS).toBeLessThan(60);
        found.push(key);
      }
      return found.sort();
    }

    it('returns an object with its metadata, until it is deleted', async () => {
      expect([await store.facts('a/one'), await read('a/one')]).toEqual([null, null]);
      await put('a/one', 'first');
      const facts = await store.facts('a/one');
      expect(facts).toMatchObject({ length: 5, metadata: description.metadata });
      expect(facts?.etag).toMatch(/^"[^"]+"$/);
      const object = await store.open('a/one');
      expect(object).toMatchObject({ length: 5, etag: facts?.etag, metadata: description.metadata });
      object?.body.destroy();
      expect(await read('a/one')).toBe('first');
      await store.put('empty', Buffer.alloc(0), { contentType: 'text/plain' });
      expect([await store.facts('empty'), await read('empty')]).toMatchObject([
        { length: 0, metadata: {} },
        '',
      ]);
      for (let n = 0; n < 2; n += 1) await store.delete('a/one');
      expect([await store.facts('a/one'), await read('a/one')]).toEqual([null, null]);
    });

    it('reads from a given byte on, and only from the same content', async () => {
      await put('a', 'first');
      const etag = (await store.facts('a'))?.etag ?? '';
      expect(await read('a', { start: 2, etag })).toBe('rst');
      await put('a', 'other');
      expect(await read('a')).toBe('other');
      await expect(store.open('a', { start: 2, etag })).rejects.toMatchObject({
        name: 'ObjectStoreRefused',
        status: 412,
      });
      await store.delete('a');
      expect(await store.open('a', { start: 2, etag })).toBeNull();
    });

    it('lists objects by prefix, however many', async () => {
      for (const key of ['a/1', 'a/2', 'a/3', 'b/1']) await put(key, key);
      expect(await keys('a/')).toEqual(['a/1', 'a/2', 'a/3']);
      expect(await keys('c/')).toEqual([]);
    });

    it('makes one object from parts, which does not exist before', async () => {
      const parts = [Buffer.alloc(leastPartBytes, 1), Buffer.alloc(10, 2)];
      const upload = await store.beginUpload('a/large', description);
      const tags: string[] = [];
      for (const part of parts) tags.push(await store.putPart(upload, tags.length + 1, part));
      expect(await store.facts('a/large')).toBeNull();
      expect(await store.uploads('a/')).toEqual([
        { ...upload, ageS: expect.toSatisfy((age: number) => age < 60) as number },
      ]);
      await store.completeUpload(upload, tags);
      expect(await store.uploads('a/')).toEqual([]);
      const object = await store.open('a/large');
      expect(object).toMatchObject({ length: leastPartBytes + 10, metadata: description.metadata });
      const bytes = Buffer.concat((await object?.body.toArray()) ?? []);
      expect(bytes.equals(Buffer.concat(parts))).toBe(true);
    });

    it('forgets an aborted upload', async () => {
      const upload = await store.beginUpload('a', description);
      await store.putPart(upload, 1, Buffer.alloc(10));
      for (let n = 0; n < 2; n += 1) await store.abortUpload(upload);
      expect([await store.uploads(''), await store.facts('a')]).toEqual([[], null]);
      await expect(store.completeUpload(upload, ['1'])).rejects.toThrow();
    });
  });
}
