import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FileStore, StorageFull, type StoredFile } from '../file-store.ts';

/** An implementation's contribution to the suite: a folder of its own that can be reopened as after a restart. */
export interface FileStorePlace {
  /** @param now ms since the epoch */
  open(settings: { now: () => number; lifetimeMs: number; maxBytes: number }): Promise<FileStore>;
  /** The actual number of files, complete or not. */
  count(): Promise<number>;
  remove(): Promise<void>;
}

const lifetimeMs = 1_000_000;
const maxBytes = 1000;

/**
 * The suite for every implementation of {@link FileStore}.
 * @param isBounded false for a store that takes more than `maxBytes`, because other machines provide the room
 */
export function describeFileStore(
  name: string,
  makePlace: () => Promise<FileStorePlace>,
  { isBounded = true } = {},
): void {
  describe(`file store: ${name}`, () => {
    let place: FileStorePlace;
    let store: FileStore;
    let time: number;

    const reopen = async () => {
      await store.close();
      store = await place.open({ now: () => time, lifetimeMs, maxBytes });
    };

    const keep = async (key: string, text: string, etag = `"${key}"`) => {
      const draft = await store.create(key, { length: Buffer.byteLength(text), etag });
      await draft.write(Buffer.from(text));
      await draft.publish();
      await draft.close();
    };

    const readAll = async (file: Pick<StoredFile, 'read'>, from = 0) => {
      const parts: Buffer[] = [];
      for (let position = from; ; ) {
        const target = Buffer.alloc(7);
        const length = await file.read(target, position);
        if (length === 0) return Buffer.concat(parts).toString();
        parts.push(target.subarray(0, length));
        position += length;
      }
    };

    const text = async (key: string) => {
      const file = await store.open(key);
      if (file === null) return null;
      try {
        return await readAll(file);
      } finally {
        await file.close();
      }
    };

    beforeEach(async () => {
      time = Date.UTC(2026, 10, 20);
      place = await makePlace();
      store = await place.open({ now: () => time, lifetimeMs, maxBytes });
    });

    afterEach(async () => {
      await store.close();
      await place.remove();
    });

    it('returns what was published, with its metadata', async () => {
      await keep('a', 'the whole content', '"e1"');
      const file = await store.open('a');
      expect(file).toMatchObject({ length: 17, etag: '"e1"', madeAt: time });
      expect(await store.facts('a')).toEqual({ length: 17, etag: '"e1"', madeAt: time });
      expect(file && (await readAll(file, 4))).toBe('whole content');
      await file?.close();
    });

    it('does not find other keys and refuses invalid ones', async () => {
      expect(await store.open('b')).toBeNull();
      expect(await store.facts('b')).toBeNull();
      for (const key of ['', '../a', 'a/b', 'A', 'a.b', 'a'.repeat(201)]) {
        await expect(store.create(key, { length: 1, etag: '"e"' })).rejects.toThrow(RangeError);
        await expect(store.open(key)).rejects.toThrow(RangeError);
      }
    });

    it('shows a draft to its owner only, until it is published', async () => {
      const draft = await store.create('a', { length: 6, etag: '"e"' });
      await draft.write(Buffer.from('abc'));
      expect(await readAll(draft)).toBe('abc');
      expect(await store.open('a')).toBeNull();
      await expect(draft.publish()).rejects.toThrow(RangeError);
      expect(await store.open('a')).toBeNull();
      await draft.write(Buffer.from('def'));
      await draft.publish();
      expect(await text('a')).toBe('abcdef');
      expect(await readAll(draft, 2)).toBe('cdef');
      await draft.close();
    });

    it('does not accept more bytes than announced', async () => {
      const draft = await store.create('a', { length: 3, etag: '"e"' });
      await expect(draft.write(Buffer.from('abcd'))).rejects.toThrow(RangeError);
      await draft.close();
      expect(await place.count()).toBe(0);
    });

    it('leaves nothing of a discarded draft, which its readers can still finish', async () => {
      const draft = await store.create('a', { length: 6, etag: '"e"' });
      await draft.write(Buffer.from('abc'));
      await draft.discard();
      expect(await place.count()).toBe(0);
      expect(await readAll(draft)).toBe('abc');
      await draft.close();
      expect(await store.open('a')).toBeNull();
    });

    it('discards a draft that is closed without being published', async () => {
      const draft = await store.create('a', { length: 3, etag: '"e"' });
      await draft.write(Buffer.from('abc'));
      await draft.close();
      expect(await place.count()).toBe(0);
    });

    it('keeps a file for its lifetime and not longer', async () => {
      await keep('a', 'text');
      time += lifetimeMs - 1;
      expect(await text('a')).toBe('text');
      time += 1;
      expect(await store.facts('a')).toBeNull();
      expect(await text('a')).toBeNull();
      await store.sweep();
      expect(await place.count()).toBe(0);
    });

    it('lets a reader finish a file that is swept meanwhile', async () => {
      await keep('a', 'a text that is read slowly');
      const file = await store.open('a');
      time += lifetimeMs;
      await store.sweep();
      expect(await place.count()).toBe(0);
      expect(file && (await readAll(file))).toBe('a text that is read slowly');
      await file?.close();
    });

    it.runIf(isBounded)('makes room by deleting the oldest file that nobody reads', async () => {
      for (const key of ['a', 'b', 'c']) {
        await keep(key, key.repeat(300));
        time += 1000;
      }
      const oldest = await store.open('a');
      await keep('d', 'd'.repeat(300));
      expect(await text('b')).toBeNull();
      for (const key of ['a', 'c', 'd']) expect(await text(key)).toBe(key.repeat(300));
      await oldest?.close();
    });

    it('reports that there is no room, and finds room again later', async () => {
      await expect(store.create('x', { length: maxBytes + 1, etag: '"e"' })).rejects.toThrow(StorageFull);
      const draft = await store.create('a', { length: 900, etag: '"e"' });
      await expect(store.create('b', { length: 200, etag: '"e"' })).rejects.toThrow(StorageFull);
      await draft.close();
      await keep('b', 'b'.repeat(200));
      expect(await text('b')).toBe('b'.repeat(200));
    });

    it('replaces a file by a newer one of the same key, also while it is read', async () => {
      await keep('a', 'old', '"1"');
      const old = await store.open('a');
      await keep('a', 'newer', '"2"');
      expect(await store.facts('a')).toMatchObject({ length: 5, etag: '"2"' });
      expect(await text('a')).toBe('newer');
      expect(old && (await readAll(old))).toBe('old');
      await old?.close();
      expect(await place.count()).toBe(1);
      // Nothing was counted twice: the rest of the limit is available.
      await keep('b', 'b'.repeat(maxBytes - 5));
      expect(await text('a')).toBe('newer');
    });

    it('finds complete files again after a restart, and only the young ones', async () => {
      await keep('old', 'old');
      time += lifetimeMs - 1;
      await keep('young', 'young', '"y"');
      const lost = await store.create('half', { length: 6, etag: '"e"' });
      await lost.write(Buffer.from('abc'));
      time += 1;
      await reopen();
      expect(await store.facts('young')).toEqual({ length: 5, etag: '"y"', madeAt: time - 1 });
      expect(await text('young')).toBe('young');
      expect(await text('old')).toBeNull();
      expect(await text('half')).toBeNull();
      expect(await place.count()).toBe(1);
      await lost.close();
    });

    it.runIf(isBounded)('counts existing files after a restart', async () => {
      await keep('a', 'a'.repeat(600));
      await reopen();
      await keep('b', 'b'.repeat(600));
      expect(await text('a')).toBeNull();
      expect(await text('b')).toBe('b'.repeat(600));
    });

    it('opens one file for many readers at once', async () => {
      await keep('a', 'shared');
      const files = await Promise.all(Array.from({ length: 50 }, () => store.open('a')));
      expect(await Promise.all(files.map((file) => file && readAll(file)))).toEqual(Array(50).fill('shared'));
      await Promise.all(files.map((file) => file?.close()));
      // No file counts as being read any more: the whole limit is available again.
      await keep('b', 'b'.repeat(maxBytes));
      expect(await text('a')).toBe(isBounded ? null : 'shared');
    });
  });
}
