import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StorageFull } from '../contracts/file-store.ts';
import { describeFileStore } from '../contracts/testing/file-store-suite.ts';
import { createDraft } from './folder-file.ts';
import { openFolderFileStore } from './folder-file-store.ts';

const makeFolder = () => mkdtemp(join(tmpdir(), 'file-store-'));
const fail = (error: unknown) => {
  throw error;
};

describeFileStore('a folder', async () => {
  const folder = await makeFolder();
  return {
    open: (settings) => openFolderFileStore({ folder, ...settings, onError: fail }),
    count: async () => (await readdir(folder)).length,
    remove: () => rm(folder, { recursive: true }),
  };
});

describe('a file store in a folder', () => {
  let folder: string;
  let time: number;
  const openStore = () =>
    openFolderFileStore({
      folder,
      maxBytes: 10_000,
      lifetimeMs: 10_000,
      sweepEveryMs: 1000,
      now: () => time,
      onError: fail,
    });

  const keep = async (key: string, text: string) => {
    const store = await openStore();
    const draft = await store.create(key, { length: text.length, etag: '"e"' });
    await draft.write(Buffer.from(text));
    await draft.publish();
    await draft.close();
    await store.close();
  };

  beforeEach(async () => {
    folder = await makeFolder();
    time = 1_000_000;
  });

  afterEach(async () => {
    vi.useRealTimers();
    await rm(folder, { recursive: true });
  });

  it('does not accept a file as complete that lost, gained or changed bytes at its end', async () => {
    await keep('a', 'some content');
    const whole = await readFile(join(folder, 'a.kept'));
    const broken = fc.oneof(
      fc.integer({ min: 0, max: whole.length - 1 }).map((length) => whole.subarray(0, length)),
      fc.uint8Array({ minLength: 1, maxLength: 9 }).map((more) => Buffer.concat([whole, more])),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc
        .uint8Array({ maxLength: 30 })
        .map((more) => Buffer.concat([more, Buffer.from('\0\0\0\x05[1,2]CFK1', 'latin1')])),
    );
    await fc.assert(
      fc.asyncProperty(broken, async (bytes) => {
        await writeFile(join(folder, 'a.kept'), bytes);
        const store = await openStore();
        expect(await store.facts('a')).toBeNull();
        expect(await store.open('a')).toBeNull();
        expect(await readdir(folder)).toEqual([]);
        await store.close();
      }),
      { numRuns: 60 },
    );
  });

  it('does not mistake a renamed file for another', async () => {
    await keep('a', 'some content');
    await writeFile(join(folder, 'b.kept'), await readFile(join(folder, 'a.kept')));
    const store = await openStore();
    expect(await store.facts('b')).toBeNull();
    expect(await readdir(folder)).toEqual(['a.kept']);
    await store.close();
  });

  it('deletes a file whose date is in the future', async () => {
    time += 3_600_000;
    await keep('a', 'some content');
    time -= 3_600_000;
    const store = await openStore();
    expect(await readdir(folder)).toEqual([]);
    await store.close();
  });

  it('leaves foreign files alone', async () => {
    await writeFile(join(folder, 'notes.txt'), 'mine');
    await writeFile(join(folder, `a.${'0'.repeat(36)}.part`), 'left over');
    const store = await openStore();
    expect(await readdir(folder)).toEqual(['notes.txt']);
    await store.close();
  });

  it('sweeps by itself until it is closed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await keep('a', 'some content');
    const store = await openStore();
    expect(await store.facts('a')).not.toBeNull();
    time += 10_000;
    vi.advanceTimersByTime(1000);
    await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]), 15_000);
    await store.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reports a full disk as such and keeps written bytes readable', async () => {
    // A device that is always full: the only source of a real ENOSPC without a separate file system.
    const handle = await open('/dev/full', 'r+');
    let discarded = 0;
    const draft = createDraft({
      handle,
      length: 4,
      makeTrailer: () => Buffer.alloc(1),
      publish: async () => {},
      discard: async () => {
        discarded += 1;
      },
    });
    await expect(draft.write(Buffer.from('ab'))).rejects.toThrow(StorageFull);
    expect(await draft.read(Buffer.alloc(4), 0)).toBe(0);
    await expect(draft.publish()).rejects.toThrow('broken');
    await draft.close();
    expect(discarded).toBe(1);
  });
});
