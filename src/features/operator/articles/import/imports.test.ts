import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SiteConfiguration } from '../../../../site/configuration/configuration.ts';
import { firstProblems, type ImportOrder, type ImportResult } from './import-orders.ts';
import { createUploads, type Uploaded } from './imports.ts';

test('an answer has the first hundred mistakes with names of two hundred characters, and says how many more there are', () => {
  const file = 'n'.repeat(60_000);
  const all = Array.from({ length: 20_000 }, (_, line) => ({ file, line, reason: `${file} is wrong` }));
  const { problems, more } = firstProblems(all);
  expect([problems.length, more]).toEqual([100, 19_900]);
  expect(problems[99]).toEqual({ file: `${'n'.repeat(200)}…`, line: 99, reason: `${'n'.repeat(200)}…` });
  expect(JSON.stringify(problems).length).toBeLessThan(50_000);
  expect(firstProblems([{ file: 'a', line: 1, reason: 'b' }])).toEqual({
    problems: [{ file: 'a', line: 1, reason: 'b' }],
    more: 0,
  });
});

const report = { articles: { added: 1, changed: 0, unchanged: 0 }, categories: 0, authors: 0, pictures: 0 };
const done: ImportResult = { kind: 'done', report };

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'clipferry-uploads-')), 'uploads');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

/** Uploads whose imports end as the test says. */
function open(run: (order: ImportOrder) => Promise<ImportResult>) {
  const orders: ImportOrder[] = [];
  const late: Promise<Uploaded>[] = [];
  const uploads = createUploads({
    folder,
    configuration: {} as SiteConfiguration,
    stopping: new AbortController().signal,
    onLate: (end) => void late.push(end),
    onKept(error) {
      throw error;
    },
    import: (order) => {
      orders.push(order);
      return run(order);
    },
  });
  const send = (how: { dryRun: boolean; unpublished: boolean }) => {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'sent.part');
    writeFileSync(path, 'zip');
    return uploads.take({ path, bytes: 3 }, how);
  };
  return { uploads, orders, late, send, isKept: () => existsSync(join(folder, 'archive.zip')) };
}

describe('an archive', () => {
  test('is deleted after its check, its import, and what failed', async () => {
    for (const run of [
      async () => done,
      async (): Promise<ImportResult> => ({ kind: 'refused', problems: [], more: 0 }),
      () => Promise.reject(new Error('no process')),
    ])
      for (const dryRun of [true, false]) {
        const { orders, send, isKept } = open(run);
        expect((await send({ dryRun, unpublished: true })).result).not.toBeNull();
        expect(orders).toMatchObject([{ dryRun, unpublished: true }]);
        expect(isKept()).toBe(false);
      }
  });

  test('that takes long does not block, and reports its end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { promise, resolve } = Promise.withResolvers<ImportResult>();
    const { uploads, late, send } = open(() => promise);
    const sent = send({ dryRun: false, unpublished: false });
    expect(uploads.isRunning()).toBe(true);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(await sent).toMatchObject({ result: null });
    resolve(done);
    expect(await Promise.all(late)).toMatchObject([{ result: done }]);
    expect(uploads.isRunning()).toBe(false);
    expect(uploads.last()).toMatchObject({ result: done });
  });

  test('that a killed site has left is deleted, and nothing that came after the start', async () => {
    for (const name of ['unpacked/content/articles', 'empty'])
      mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'archive.zip'), 'old');
    const { send } = open(async (order) => {
      expect(readFileSync(order.zip, 'utf8')).toBe('zip');
      return done;
    });
    expect(await send({ dryRun: true, unpublished: true })).toMatchObject({ result: done });
    expect(readdirSync(folder)).toEqual([]);
  });
});
