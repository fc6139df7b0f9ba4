import { once } from 'node:events';
import {
  createWriteStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ArchiveRefused, checkSeal, readManifest, unpackArchive, writeArchive } from './archive.ts';

let place: string;
let archive: string;
let whole: Buffer;

async function* inParts(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const files = {
  'database.sqlite': Buffer.alloc(3000, 'database'),
  'secret-key': Buffer.from('a key'),
  'pictures/0123abcd-640.avif': Buffer.alloc(1024, 7),
  'manifest.json': Buffer.from('{}'),
};

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'clipferry-archive-'));
  archive = join(place, 'archive.tar');
  await writeArchive(createWriteStream(archive), async (add) => {
    for (const [name, bytes] of Object.entries(files)) await add(name, bytes.length, inParts(bytes, 700));
  });
  whole = readFileSync(archive);
});
afterAll(() => rmSync(place, { recursive: true }));

let number = 0;
const newFolder = () => join(place, `out-${number++}`);

test('restores files as they were, readable by their owner only', async () => {
  const folder = newFolder();
  await checkSeal(archive);
  const found = await unpackArchive(archive, folder);
  expect(found.map(({ name, size }) => [name, size])).toEqual(
    Object.entries(files).map(([name, { length }]) => [name, length]),
  );
  for (const [name, bytes] of Object.entries(files)) {
    expect(readFileSync(join(folder, name)).equals(bytes)).toBe(true);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  }
  expect(readdirSync(folder).sort()).toEqual(['database.sqlite', 'manifest.json', 'pictures', 'secret-key']);
});

const damaged = join(tmpdir(), `clipferry-damaged-${process.pid}.tar`);
afterAll(() => rmSync(damaged, { force: true }));

async function isRefused(bytes: Buffer): Promise<void> {
  writeFileSync(damaged, bytes);
  await expect(checkSeal(damaged)).rejects.toThrow(ArchiveRefused);
}

test('refuses an archive with a changed byte, wherever the byte is', async () => {
  const change = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }));
  await fc.assert(
    fc.asyncProperty(change, async ([at, by]) => {
      const bytes = Buffer.from(whole);
      bytes[at] = ((bytes[at] ?? 0) + by) % 256;
      await isRefused(bytes);
    }),
    { numRuns: 300 },
  );
});

test('refuses an archive that was truncated or extended', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), (length) => isRefused(whole.subarray(0, length))),
    { numRuns: 50 },
  );
  await isRefused(Buffer.concat([whole, Buffer.alloc(1)]));
});

test.each(['../outside', '/etc/passwd', 'pictures/../secret-key', 'another', 'pictures/A-1.avif'])(
  'refuses an entry "%s" and writes nothing for it',
  async (name) => {
    const strange = join(place, 'strange.tar');
    await writeArchive(createWriteStream(strange), async (add) => {
      await add(name, 1, inParts(Buffer.from('x'), 1));
    });
    const folder = newFolder();
    await checkSeal(strange);
    await expect(unpackArchive(strange, folder)).rejects.toThrow(ArchiveRefused);
    expect(() => readdirSync(folder)).toThrow();
  },
);

test('a file whose length differs from its header ends the archive, and its reader', async () => {
  const to = createWriteStream(join(place, 'short.tar'));
  // It could be created after the removal of its folder otherwise.
  await once(to, 'open');
  const writing = writeArchive(to, async (add) => {
    await add('secret-key', 10, inParts(Buffer.from('short'), 5));
  });
  await expect(writing).rejects.toThrow();
});

test('says that an archive of another form is newer', () => {
  expect(() => readManifest('{"format":2}')).toThrow('a newer version made the archive');
});

test.each(['', '{}', '{"format":2}', '[]'])('refuses a manifest %o', (text) => {
  expect(() => readManifest(text)).toThrow(ArchiveRefused);
});
