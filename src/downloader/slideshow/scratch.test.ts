import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { asDiskFailure, openScratch } from './scratch.ts';

it('leaves no files of a video behind, neither at its end nor after its process was killed', async () => {
  const place = mkdtempSync(join(tmpdir(), 'scratch-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  const folder = join(place, 'slideshows');
  mkdirSync(join(folder, 'video-killed'), { recursive: true });
  writeFileSync(join(folder, 'video-killed', 'slides'), 'half');
  const scratch = await openScratch(folder);
  expect(readdirSync(folder)).toEqual([]);
  const one = await scratch.open();
  const other = await scratch.open();
  writeFileSync(join(one.path, 'slides'), 'whole');
  await one.delete();
  await one.delete();
  expect(readdirSync(folder)).toHaveLength(1);
  await other.delete();
  expect(readdirSync(folder)).toEqual([]);
});

it('tells a full disk from other errors', () => {
  const withCode = (code: string) => Object.assign(new Error('no'), { code });
  for (const error of [withCode('ENOSPC'), withCode('EDQUOT')])
    expect(asDiskFailure(error)).toMatchObject({ key: 'storage_full', cause: error });
  for (const error of [withCode('EACCES'), new Error('no'), { code: 'ENOSPC' }, null])
    expect(asDiskFailure(error)).toBe(error);
});
