import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type S3Double, startS3Double } from '../../../../doubles/s3/server.ts';
import type { FileStore, StoredFile } from '../../contracts/file-store.ts';
import { leastPartBytes as partBytes } from '../../contracts/object-store.ts';
import { describeFileStore } from '../../contracts/testing/file-store-suite.ts';
import { type FaultyLine, openFaultyLine } from '../../contracts/testing/services/faulty-line.ts';
import { openFolderFileStore } from '../../embedded/folder-file-store.ts';
import type { S3Client } from '../s3/s3-client.ts';
import { openTestClient } from '../s3/testing/open-test-client.ts';
import { openObjectFileStore } from './object-file-store.ts';

const makeFolder = () => mkdtemp(join(tmpdir(), 'file-store-s3-'));
const fail = (error: unknown) => {
  throw error;
};
const prefix = 'conversions/';

interface Settings {
  readonly now: () => number;
  readonly lifetimeMs: number;
  readonly maxBytes: number;
}

/** One instance: its disk, and its view of the store. */
async function openInstance(client: S3Client, folder: string, settings: Settings): Promise<FileStore> {
  const local = await openFolderFileStore({ folder, ...settings, onError: fail });
  return openObjectFileStore({ objects: client, local, prefix, ...settings, onError: fail });
}

function describeInS3(name: string, read: 'here' | 'elsewhere') {
  describeFileStore(
    name,
    async () => {
      let time = () => 0;
      const s3 = await startS3Double({ now: () => time(), pageSize: 2 });
      const client = openTestClient(s3);
      const folders = await Promise.all([makeFolder(), makeFolder()]);
      return {
        async open(settings) {
          time = settings.now;
          const [maker, other] = await Promise.all(folders.map((at) => openInstance(client, at, settings)));
          if (maker === undefined || other === undefined) throw new Error('not opened');
          await maker.sweep();
          const reader = read === 'here' ? maker : other;
          return {
            create: (key, facts) => maker.create(key, facts),
            open: (key) => reader.open(key),
            facts: (key) => reader.facts(key),
            async sweep() {
              await Promise.all([maker.sweep(), other.sweep()]);
            },
            async close() {
              await Promise.all([maker.close(), other.close()]);
            },
          };
        },
        async count() {
          const local = await readdir(folders[0] ?? '');
          return Math.max(local.length, s3.bucket.objects.size + s3.bucket.uploads.size);
        },
        async remove() {
          await client.close();
          await s3.close();
          await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
        },
      };
    },
    { isBounded: false },
  );
}

describeInS3('S3, read where they were made', 'here');
describeInS3('S3, read by another instance', 'elsewhere');

describeFileStore('S3 that is away', async () => {
  const s3 = await startS3Double();
  const client = openTestClient(s3);
  await s3.close();
  await expect(client.check()).rejects.toThrow();
  const folder = await makeFolder();
  return {
    open: (settings) => openInstance(client, folder, settings),
    count: async () => (await readdir(folder)).length,
    async remove() {
      await client.close();
      await rm(folder, { recursive: true });
    },
  };
});

describe('a file store in S3', () => {
  let s3: S3Double;
  let line: FaultyLine;
  let client: S3Client;
  let folders: string[];
  let one: FileStore;
  let other: FileStore;
  let time: number;
  let reported: string[];

  beforeEach(async () => {
    time = Date.UTC(2026, 10, 20);
    reported = [];
    s3 = await startS3Double({ now: () => time });
    line = await openFaultyLine({ host: '127.0.0.1', port: s3.port });
    client = openTestClient(s3, {
      endpoint: `http://127.0.0.1:${line.port}`,
      onAway: () => reported.push('away'),
      onReturn: () => reported.push('back'),
    });
    folders = [await makeFolder(), await makeFolder()];
    const settings = { now: () => time, lifetimeMs: 1_000_000, maxBytes: 100e6 };
    one = await openInstance(client, folders[0] ?? '', settings);
    other = await openInstance(client, folders[1] ?? '', settings);
  });

  afterEach(async () => {
    await Promise.all([one.close(), other.close()]);
    await client.close();
    await line.close();
    await s3.close();
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
  });

  const contentOf = (bytes: number) => {
    const content = Buffer.alloc(bytes);
    for (let at = 0; at < bytes; at += 4)
      content.writeUInt32BE((at * 2_654_435) % 2 ** 32, Math.min(at, bytes - 4));
    return content;
  };
  const large = contentOf(2 * partBytes + 1_000_000);

  async function write(store: FileStore, key: string, content: Buffer, pieces = 40) {
    const draft = await store.create(key, { length: content.length, etag: '"e"' });
    const size = Math.ceil(content.length / pieces);
    for (let at = 0; at < content.length; at += size) await draft.write(content.subarray(at, at + size));
    return draft;
  }
  async function keep(store: FileStore, key: string, content: Buffer) {
    const draft = await write(store, key, content);
    await draft.publish();
    await draft.close();
  }
  async function bytesOf(file: StoredFile | null, from = 0, pieceBytes = 64 * 1024) {
    if (file === null) return null;
    const parts: Buffer[] = [];
    for (let position = from; position < file.length; ) {
      const target = Buffer.alloc(pieceBytes);
      const count = await file.read(target, position);
      parts.push(target.subarray(0, count));
      position += count;
    }
    await file.close();
    return Buffer.concat(parts);
  }
  const isSame = async (file: StoredFile | null, content: Buffer, from = 0) =>
    (await bytesOf(file, from))?.equals(content.subarray(from)) ?? false;
  const settled = async (condition: () => boolean) => {
    while (!condition()) await new Promise((resolve) => setImmediate(resolve));
  };

  it('sends a large file in parts while it is being made, and shows only the whole file', async () => {
    const draft = await write(one, 'large', large);
    await settled(() => s3.counts['PUT part'] === 2);
    expect(s3.bucket.objects.size).toBe(0);
    await draft.publish();
    await draft.close();
    expect(s3.counts).toMatchObject({ 'POST uploads': 1, 'PUT part': 3, 'POST complete': 1 });
    expect(s3.bucket.uploads.size).toBe(0);
    expect(await isSame(await other.open('large'), large)).toBe(true);
    expect(await isSame(await one.open('large'), large)).toBe(true);
  });

  it.each([partBytes, 2 * partBytes, partBytes + 1])('also sends %i bytes completely', async (bytes) => {
    const content = contentOf(bytes);
    await keep(one, 'edge', content);
    expect(await isSame(await other.open('edge'), content)).toBe(true);
  });

  it('sends a small file at once, and the machine that made it reads it from its disk', async () => {
    await keep(one, 'small', large.subarray(0, 1000));
    expect(s3.counts).toEqual({ 'PUT object': 1 });
    expect(await isSame(await one.open('small'), large.subarray(0, 1000))).toBe(true);
    expect(s3.counts).toEqual({ 'PUT object': 1 });
  });

  it('leaves no part of an unfinished file', async () => {
    const draft = await write(one, 'large', large.subarray(0, large.length - 1));
    await settled(() => s3.counts['PUT part'] === 2);
    await draft.close();
    await settled(() => s3.bucket.uploads.size === 0);
    expect(s3.bucket.objects.size).toBe(0);
  });

  it('reads any part without the rest, sequentially and concurrently', async () => {
    await keep(one, 'large', large);
    const file = await other.open('large');
    for (const from of [large.length - 10, 7_000_000, 0, large.length - 1]) {
      const target = Buffer.alloc(1000);
      const count = await file?.read(target, from);
      expect(target.subarray(0, count).equals(large.subarray(from, from + (count ?? 0)))).toBe(true);
      expect(count).toBeGreaterThan(0);
    }
    const [first, last] = [Buffer.alloc(500), Buffer.alloc(500)];
    await Promise.all([file?.read(first, 100), file?.read(last, 9_000_000)]);
    expect(first.equals(large.subarray(100, 600))).toBe(true);
    expect(last.equals(large.subarray(9_000_000, 9_000_500))).toBe(true);
    expect(await file?.read(first, large.length)).toBe(0);
    await file?.close();
  });

  it('never mixes two files: another one in its place ends the reading', async () => {
    await keep(one, 'a', large);
    const file = await other.open('a');
    const target = Buffer.alloc(10);
    await file?.read(target, 0);
    await keep(one, 'a', contentOf(large.length).fill(1));
    await expect(file?.read(target, 8_000_000)).rejects.toThrow('412');
    await file?.close();
  });

  it('resumes reading where the connection broke', async () => {
    await keep(one, 'large', large);
    const file = await other.open('large');
    const target = Buffer.alloc(64 * 1024);
    const count = (await file?.read(target, 0)) ?? 0;
    expect(target.subarray(0, count).equals(large.subarray(0, count))).toBe(true);
    line.reset();
    expect(await isSame(file, large, count)).toBe(true);
  });

  it.each(['reset', 'stall', 'lose'] as const)(
    'continues without a missing store (%s), says so once, and sends what it made when it returns',
    async (how) => {
      await keep(one, 'before', large.subarray(0, 1000));
      if (how === 'reset') await line.close();
      else line[how]();
      await keep(one, 'during', large);
      expect(await isSame(await one.open('during'), large)).toBe(true);
      expect(await other.open('during')).toBeNull();
      expect(await other.facts('before')).toBeNull();
      expect(await isSame(await one.open('before'), large.subarray(0, 1000))).toBe(true);
      expect(reported).toEqual(['away']);
      expect(client.isAway).toBe(true);
      if (how === 'reset') line = await openFaultyLine({ host: '127.0.0.1', port: s3.port }, line.port);
      else line.resume();
      await settled(() => !client.isAway);
      expect(reported).toEqual(['away', 'back']);
      await settled(() => s3.bucket.objects.has(`${prefix}during`));
      expect(await isSame(await other.open('during'), large)).toBe(true);
    },
  );

  it('continues without a store that refuses, and reports why', async () => {
    const refused: unknown[] = [];
    const wrong = openTestClient(s3, { secretAccessKey: 'another' });
    const local = await openFolderFileStore({
      folder: folders[1] ?? '',
      maxBytes: 1e6,
      now: () => time,
      onError: fail,
    });
    const store = openObjectFileStore({
      ...{ objects: wrong, local, prefix, now: () => time },
      onError: (error) => refused.push(error),
    });
    await keep(store, 'a', large.subarray(0, 10));
    expect(await isSame(await store.open('a'), large.subarray(0, 10))).toBe(true);
    expect(await store.open('b')).toBeNull();
    expect(refused.map(String)).toEqual([
      'ObjectStoreRefused: S3 answered 403 SignatureDoesNotMatch',
      'ObjectStoreRefused: S3 answered 403 for an object',
    ]);
    await store.close();
    await wrong.close();
  });

  it('finds files of a dead instance, by the clock of the store', async () => {
    await keep(one, 'a', large.subarray(0, 10));
    const dead = await write(one, 'large', large.subarray(0, large.length - 1));
    await settled(() => s3.bucket.uploads.size === 1 && s3.counts['PUT part'] === 2);
    s3.bucket.put('articles/kept-for-good', Buffer.from('x'), {});
    time += 1_000_000 - 1000;
    await other.sweep();
    expect([s3.bucket.objects.size, s3.bucket.uploads.size]).toEqual([2, 1]);
    time += 1000;
    await other.sweep();
    expect([...s3.bucket.objects.keys()]).toEqual(['articles/kept-for-good']);
    expect(s3.bucket.uploads.size).toBe(0);
    await dead.close();
  });

  it('does not mistake an object of somebody else for its own file', async () => {
    const headers = { 'x-amz-meta-length': '3', 'x-amz-meta-etag': 'e', 'x-amz-meta-made-at': String(time) };
    for (const [bytes, changed] of [
      ['ab', {}],
      ['abc', { 'x-amz-meta-length': '' }],
      ['abc', { 'x-amz-meta-etag': 'with "quotes"' }],
      ['abc', { 'x-amz-meta-made-at': 'yesterday' }],
      ['abc', { 'x-amz-meta-made-at': String(time + 120_000) }],
    ] as const) {
      s3.bucket.put(`${prefix}a`, Buffer.from(bytes), { ...headers, ...changed });
      expect(await other.open('a')).toBeNull();
      expect(await other.facts('a')).toBeNull();
    }
    s3.bucket.put(`${prefix}a`, Buffer.from('abc'), headers);
    expect((await bytesOf(await other.open('a')))?.toString()).toBe('abc');
  });
});
