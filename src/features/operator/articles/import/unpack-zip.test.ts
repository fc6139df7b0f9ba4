import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ImportRefused } from '../../../../content/files/problems.ts';
import { type MadeEntry, makeZip } from './testing/make-zip.ts';
import { unpackZip } from './unpack-zip.ts';

const limits = { entries: 20, fileBytes: 2 ** 20, allBytes: 3 * 2 ** 20 };

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'clipferry-zip-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** The contents of the folder around the target folder, without the archive. */
const written = () =>
  (readdirSync(place, { recursive: true, withFileTypes: true }) ?? [])
    .filter((entry) => !entry.isDirectory() && entry.name !== 'archive.zip')
    .map((entry) => join(entry.parentPath, entry.name).slice(place.length + 1))
    .sort();

async function unpack(archive: Uint8Array, bounds = limits): Promise<string> {
  const path = join(place, 'archive.zip');
  writeFileSync(path, archive);
  const folder = await unpackZip(path, join(place, 'in', 'unpacked'), bounds);
  return folder.slice(join(place, 'in', 'unpacked').length);
}

const refusal = async (entries: readonly MadeEntry[], bounds = limits) => {
  const thrown = await unpack(makeZip(entries), bounds).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(ImportRefused);
  return (thrown as ImportRefused).problems.map(({ file, reason }) => `${file}: ${reason}`).join('\n');
};

const article = { name: 'content/articles/one/en.md', bytes: '# One' };

describe('an archive', () => {
  test('is unpacked as far as an import reads it, whatever folder it was made from', async () => {
    const files = ['articles/one/en.md', 'articles/articles/en.md', 'authors/ada/en.md', 'categories/a.yaml'];
    const others = ['README.md', 'legal/about/en.md', '__MACOSX/articles/._x', 'articles/.DS_Store'];
    for (const top of ['', 'content/']) {
      const entries = [...files, ...others].map((name) => ({ name: top + name, bytes: `text of ${name}` }));
      const folder = await unpack(makeZip([{ name: `${top}articles/`, mode: 0o040755 }, ...entries]));
      expect(folder).toBe(top === '' ? '' : '/content');
      expect(written()).toEqual(files.map((name) => `in/unpacked/${top}${name}`).sort());
      expect(readFileSync(join(place, 'in/unpacked', top, 'authors/ada/en.md'), 'utf8')).toBe(
        'text of authors/ada/en.md',
      );
      rmSync(join(place, 'in'), { recursive: true });
    }
  });

  test.each([
    '../articles/one/en.md',
    'articles/../../../evil.md',
    'content/articles/one/../../../../evil.md',
    '/articles/one/en.md',
    'C:/articles/one/en.md',
    'articles\\..\\..\\..\\evil.md',
    '..\\articles\\one\\en.md',
  ])('with the name %s leads nowhere, and nothing of it is written', async (name) => {
    expect(await refusal([article, { name, bytes: 'evil' }])).toMatch(/cannot be unpacked: /);
    expect(written()).toEqual([]);
  });

  test('with a link or a device is refused', async () => {
    for (const mode of [0o120777, 0o020644, 0o010644])
      expect(
        await refusal([article, { name: 'content/articles/one/cover.jpg', bytes: '/etc/passwd', mode }]),
      ).toBe('content/articles/one/cover.jpg: is a link or no ordinary file');
    expect(written()).toEqual([]);
  });

  test('whose files are longer than it says is not unpacked further than it says', async () => {
    const bytes = Buffer.alloc(2 ** 20);
    expect(await refusal([{ ...article, bytes, saidBytes: 10 }])).toContain('too many bytes');
    for (const name of written()) expect(readFileSync(join(place, name)).length).toBeLessThan(2 ** 17);
  });

  test('is refused before anything is written when it would unpack to too much', async () => {
    const bytes = Buffer.alloc(2 ** 20);
    const files = [1, 2, 3, 4].map((n) => ({ name: `content/articles/${n}/en.md`, bytes }));
    expect(await refusal(files)).toBe('the archive: unpacks to more than 3 MB');
    // The same bytes under many names.
    const [first, ...others] = files;
    const shared = others.map((file) => ({ ...file, sharesWith: first?.name ?? '' }));
    expect(await refusal([...files.slice(0, 1), ...shared])).toBe('the archive: unpacks to more than 3 MB');
    expect(await refusal([{ ...article, bytes: Buffer.alloc(2 ** 20 + 1) }])).toBe(
      'content/articles/one/en.md: is larger than 1 MB',
    );
    const many = Array.from({ length: 21 }, (_, n) => ({ name: `content/articles/${n}/en.md` }));
    expect(await refusal(many)).toBe('the archive: has more than 20 entries');
    expect(written()).toEqual([]);
  });

  test('is refused when it is encrypted, has duplicate names, or contains nothing to import', async () => {
    expect(await refusal([{ ...article, isEncrypted: true }])).toContain('is encrypted');
    expect(await refusal([article, article])).toContain('is in the archive twice');
    expect(await refusal([{ ...article, name: 'content/articles/a\u0007/en.md' }])).toContain(
      'control characters',
    );
    expect(await refusal([{ name: 'README.md', bytes: 'x' }])).toContain('has no folder articles');
    expect(await refusal([article, { name: 'articles/two/en.md' }])).toContain('several places');
    expect(await refusal([])).toContain('has no folder articles');
  });

  test('of any bytes is refused or unpacked, and nothing is written outside its folder', async () => {
    const good = makeZip([article, { name: 'content/categories/a.yaml', bytes: 'uid: 1' }]);
    const damaged = fc
      .array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
      .map((changes) => {
        const bytes = Buffer.from(good);
        for (const [at, value] of changes) bytes[at] = value;
        return bytes;
      });
    const cut = fc.nat(good.length).map((length) => good.subarray(0, length));
    await fc.assert(
      fc.asyncProperty(fc.oneof(damaged, cut, fc.uint8Array({ maxLength: 200 })), async (bytes) => {
        const thrown = await unpack(bytes).catch((error: unknown) => error);
        if (thrown instanceof Error) expect(thrown).toBeInstanceOf(ImportRefused);
        expect(written().filter((name) => !name.startsWith('in/unpacked/'))).toEqual([]);
        rmSync(join(place, 'in'), { recursive: true, force: true });
      }),
      { numRuns: 200 },
    );
  });
});
