import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import {
  createMemoryFileStore,
  type MemoryFileStore,
} from '../../stores/contracts/testing/memory-file-store.ts';
import { GrowingFile } from './growing-file.ts';
import { createMemoryBudget } from './growing-storage.ts';

const never = () => null;
const bytesOf = (text: string) => Buffer.from(text);

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

async function keyOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no failure',
    (error) => (error instanceof Failure ? error.key : String(error)),
  );
}

describe('a growing file', () => {
  let store: MemoryFileStore;
  let memory: ReturnType<typeof createMemoryBudget>;
  const start = (length: number): Promise<GrowingFile> =>
    GrowingFile.start({ store, key: 'a', length, etag: '"e"', memory });

  beforeEach(() => {
    store = createMemoryFileStore();
    memory = createMemoryBudget(100);
  });

  it('gives each reader its range, whenever the reader comes and however the bytes arrive', async () => {
    const content = Buffer.from(Array.from({ length: 60 }, (_, at) => at));
    const range = fc.tuple(fc.nat(60), fc.nat(60)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(60), { maxLength: 8 }),
        fc.array(fc.tuple(range, fc.nat(8)), { maxLength: 6 }),
        fc.option(fc.nat(60)),
        async (cuts, readers, fullAfter) => {
          store = createMemoryFileStore();
          store.fullAfter = fullAfter;
          const file = await start(content.length);
          const edges = [0, ...cuts.sort((a, b) => a - b), content.length];
          const results: Promise<string>[] = [];
          const begin = (step: number) => {
            for (const [[from, to], at] of readers) {
              if (at === step) results.push(collect(file.read(from, to, never)));
            }
          };
          for (let step = 0; step + 1 < edges.length; step += 1) {
            begin(step);
            await file.append(content.subarray(edges[step], edges[step + 1]));
          }
          const release = file.retain();
          expect(await file.finish()).toBe(fullAfter === null || fullAfter >= content.length);
          for (let step = edges.length - 1; step <= 8; step += 1) begin(step);
          const wanted = readers
            .toSorted(([, a], [, b]) => a - b)
            .map(([[from, to]]) => content.subarray(from, to).toString());
          expect((await Promise.all(results)).sort()).toEqual(wanted.sort());
          release();
          await file.closed;
          expect(store.openDrafts).toBe(0);
          expect(memory.used).toBe(0);
        },
      ),
    );
  });

  it('is kept when it is complete', async () => {
    const file = await start(6);
    await file.append(bytesOf('abc'));
    expect(file.complete).toBe(false);
    await file.append(bytesOf('def'));
    expect(await file.finish()).toBe(true);
    expect(file.complete).toBe(true);
    await file.closed;
    expect(await store.facts('a')).toMatchObject({ length: 6, etag: '"e"' });
  });

  it('is not kept, and fails, when it is shorter or longer than announced', async () => {
    const short = await start(6);
    await short.append(bytesOf('abc'));
    expect(await keyOf(short.finish())).toBe('conversion_failed');
    await short.fail(new Failure('conversion_failed'));
    await short.closed;

    const long = await start(2);
    expect(await keyOf(long.append(bytesOf('abc')))).toBe('conversion_failed');
    await long.fail(new Failure('conversion_failed'));
    await long.closed;
    expect(await store.facts('a')).toBeNull();
    expect(store.openDrafts).toBe(0);
  });

  it('ends all readers with the failure, waiting and later ones', async () => {
    const file = await start(6);
    await file.append(bytesOf('abc'));
    const waiting = keyOf(collect(file.read(0, 6, never)));
    await file.fail(new Failure('media_unavailable'));
    expect(await waiting).toBe('media_unavailable');
    expect(await keyOf(collect(file.read(0, 6, never)))).toBe('media_unavailable');
    await file.closed;
  });

  it('ends only the reader that is stopped', async () => {
    const file = await start(6);
    let stop: Failure | null = null;
    const stopped = keyOf(collect(file.read(0, 6, () => stop)));
    const other = collect(file.read(0, 6, never));
    await file.append(bytesOf('abc'));
    stop = new Failure('conversion_cancelled');
    file.notify();
    expect(await stopped).toBe('conversion_cancelled');
    await file.append(bytesOf('def'));
    await file.finish();
    expect(await other).toBe('abcdef');
  });

  it('stays open for its holders, however it ended', async () => {
    const file = await start(3);
    const release = file.retain();
    await file.append(bytesOf('abc'));
    await file.finish();
    expect(store.openDrafts).toBe(1);
    expect(await collect(file.read(1, 3, never))).toBe('bc');
    release();
    release();
    await file.closed;
    expect(store.openDrafts).toBe(0);
  });

  it('does not wait for its readers', async () => {
    const file = await start(1_000_000);
    const slow = file.read(0, 1_000_000, never);
    const first = slow.next();
    for (let at = 0; at < 10; at += 1) await file.append(Buffer.alloc(100_000, at));
    expect(await file.finish()).toBe(true);
    const begin = (await first).value;
    expect(begin?.[0]).toBe(0);
    expect(begin?.length).toBeLessThanOrEqual(256 * 1024 + 100_000);
    await slow.return();
  });

  it('is refused when neither disk nor memory has room, at the start and in the middle', async () => {
    store.fullAfter = 0;
    store.refuse = true;
    expect(await keyOf(start(101))).toBe('storage_full');
    expect(memory.used).toBe(0);
    store.refuse = false;
    store.fullAfter = 10;
    const file = await start(200);
    const reader = keyOf(collect(file.read(0, 200, never)));
    await file.append(Buffer.alloc(10));
    await file.append(Buffer.alloc(10));
    expect(await keyOf(file.finish())).toBe('storage_full');
    await file.fail(new Failure('storage_full'));
    expect(await reader).toBe('storage_full');
    await file.closed;
  });

  it('uses memory from the first byte when the store has no room at all', async () => {
    store.refuse = true;
    const file = await start(100);
    const release = file.retain();
    await file.append(Buffer.alloc(100, 7));
    expect(await file.finish()).toBe(false);
    expect(memory.used).toBe(100);
    expect((await collect(file.read(0, 100, never))).length).toBe(100);
    release();
    await file.closed;
    expect(memory.used).toBe(0);
  });
});
