import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import type { FileStore } from '../../stores/contracts/file-store.ts';
import { createConversionStore } from '../../stores/embedded/conversion-store.ts';
import { openFolderFileStore } from '../../stores/embedded/folder-file-store.ts';
import type { TicketSound } from '../tickets/ticket-file.ts';
import type { Conversions } from './contracts.ts';
import { createLocalConversions } from './conversions.ts';
import { fileKey } from './source.ts';
import { createFakeMaker, type FakeMaker } from './testing/conversions-fixture.ts';

const work: TicketSound = {
  kind: 'sound',
  format: 'mp3',
  post: { platform: 'tiktok', id: '7300000000000000001' },
};
const forever = new AbortController().signal;
const fail = (error: unknown) => {
  throw error;
};

/** Descriptors of this process that point into a folder. */
async function openIn(folder: string): Promise<number> {
  const targets = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(folder)).length;
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

describe('conversions on a real folder', () => {
  let folder: string;
  let maker: FakeMaker;
  let fileStore: FileStore;
  let conversions: Conversions;
  let time: number;

  /** A new process: it knows only the files in the folder. */
  async function start(): Promise<void> {
    maker = createFakeMaker();
    fileStore = await openFolderFileStore({ folder, maxBytes: 1e6, now: () => time, onError: fail });
    const observer = { requested() {}, waiting() {}, running() {}, ended() {}, error: fail };
    conversions = createLocalConversions({
      maker,
      store: createConversionStore({ now: () => time }),
      fileStore,
      parallel: 2,
      now: () => time,
      observer,
    });
  }

  beforeEach(async () => {
    time = Date.UTC(2026, 10, 20);
    folder = await mkdtemp(join(tmpdir(), 'conversions-'));
    await start();
  });

  afterEach(async () => {
    await conversions.close();
    await fileStore.close();
    await vi.waitFor(async () => expect(await openIn(folder)).toBe(0), 15_000);
    await rm(folder, { recursive: true });
  });

  async function convert(text: string): Promise<void> {
    const opening = conversions.open(work, 'a', forever);
    const job = await maker.started(work);
    job.prepared(text.length);
    const file = await opening;
    const reading = readAll(file.read(0, file.length));
    for (let at = 0; at < text.length; at += 1000) await job.chunk(text.slice(at, at + 1000));
    job.end();
    expect(await reading).toBe(text);
    await vi.waitFor(async () => expect((await conversions.status(work)).state).toBe('done'), 15_000);
    file.release();
  }

  it('serves a finished file after a restart, and makes it again when its hour is over', async () => {
    const text = 'some sound '.repeat(5000);
    await convert(text);
    await conversions.close();
    await fileStore.close();
    await start();
    expect(await conversions.status(work)).toMatchObject({ state: 'done', fraction: 1, bytes: text.length });
    const file = await conversions.open(work, 'b', forever);
    expect(file.complete).toBe(true);
    expect(await readAll(file.read(10, 30))).toBe(text.slice(10, 30));
    file.release();
    expect(maker.count).toBe(0);

    time += 3_600_000;
    expect((await conversions.status(work)).state).toBe('idle');
    await convert('another sound');
  });

  it('gives readers at every pace the whole file, each from its own position', async () => {
    const text = Array.from({ length: 40_000 }, (_, at) => String.fromCharCode(97 + (at % 26))).join('');
    const opening = Promise.all(
      Array.from({ length: 30 }, (_, at) => conversions.open(work, `v${at}`, forever)),
    );
    const job = await maker.started(work);
    job.prepared(text.length);
    const files = await opening;
    const late: Promise<string>[] = [];
    const readings = files.slice(0, 10).map((file, at) => readAll(file.read(at * 100, file.length)));
    for (let at = 0; at < text.length; at += 1000) {
      await job.chunk(text.slice(at, at + 1000));
      const file = files[10 + at / 2000];
      if (file) late.push(readAll(file.read(0, file.length)));
    }
    job.end();
    const done = await Promise.all(readings);
    for (const [at, result] of done.entries()) expect(result).toBe(text.slice(at * 100));
    for (const result of await Promise.all(late)) expect(result).toBe(text);
    expect(late.length).toBe(20);
    for (const file of files) file.release();
  });

  it('leaves no file and no descriptor when all readers leave at once', async () => {
    const files = Promise.all(
      Array.from({ length: 60 }, (_, at) => conversions.open(work, `v${at}`, forever)),
    );
    const job = await maker.started(work);
    job.prepared(100_000);
    const opened = await files;
    const readings = Promise.allSettled(opened.map((file) => readAll(file.read(0, file.length))));
    await job.chunk('x'.repeat(1000));
    expect((await readdir(folder)).length).toBe(1);
    for (const file of opened) file.release();
    expect((await readings).every(({ status }) => status === 'rejected')).toBe(true);
    await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]), 15_000);
    await vi.waitFor(async () => expect(await openIn(folder)).toBe(0), 15_000);
    expect(maker.active).toBe(0);
  });

  it('starts the same work again after the process was killed in the middle', async () => {
    const opening = conversions.open(work, 'a', forever);
    const job = await maker.started(work);
    job.prepared(6);
    const file = await opening;
    await job.chunk('abc');
    // Leftovers of a killed process: its half-written file, and one truncated by a power cut.
    const [part] = await readdir(folder);
    expect(part).toMatch(/\.part$/);
    const copy = Buffer.from('abc');
    file.release();
    await conversions.close();
    await fileStore.close();
    await writeFile(join(folder, part ?? ''), copy);
    await writeFile(join(folder, `${fileKey(work)}.kept`), copy);

    await start();
    expect(await readdir(folder)).toEqual([]);
    expect((await conversions.status(work)).state).toBe('idle');
    await convert('abcdef');
  });

  it('opens no descriptor for further readers, and has none open after them', async () => {
    await convert('a kept sound');
    const files = await Promise.all(
      Array.from({ length: 40 }, (_, at) => conversions.open(work, `v${at}`, forever)),
    );
    expect(await openIn(folder)).toBe(1);
    expect(new Set(await Promise.all(files.map((file) => readAll(file.read(0, file.length)))))).toEqual(
      new Set(['a kept sound']),
    );
    for (const file of files) file.release();
    await vi.waitFor(async () => expect(await openIn(folder)).toBe(0), 15_000);
  });

  it('gives a reader of a failed conversion its failure, and nobody half a file', async () => {
    const opening = conversions.open(work, 'a', forever);
    const job = await maker.started(work);
    job.prepared(6);
    const file = await opening;
    const reading = readAll(file.read(0, 6)).catch((error) => error);
    await job.chunk('abc');
    job.fail(new Failure('media_unavailable'));
    expect(await reading).toMatchObject({ key: 'media_unavailable' });
    await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]), 15_000);
    file.release();
  });
});
