import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startS3Double } from '../../../doubles/s3/server.ts';
import { openObjectStore } from '../../stores/open/object-store.ts';
import { archiveName, madeAt, openPlace, outdated } from './archives.ts';

const dayMs = 86_400_000;
const rule = { days: 7, weeks: 5, months: 12 };

test('keeps the newest of seven days, five weeks and twelve months of a nightly backup', () => {
  const last = Date.UTC(2026, 10, 28, 3, 17);
  let kept: readonly string[] = [];
  for (let night = 800; night >= 0; night--) {
    const all = [...kept, archiveName(last - night * dayMs)];
    const old = new Set(outdated(all, rule));
    kept = all.filter((name) => !old.has(name));
  }
  const days = kept.toReversed().map((name) => name.slice('clipferry-'.length, -'-031700.tar'.length));
  expect(days).toEqual([
    ...['2026-11-28', '2026-11-27', '2026-11-26', '2026-11-25', '2026-11-24', '2026-11-23', '2026-11-22'],
    ...['2026-11-15', '2026-11-08', '2026-11-01'],
    ...['2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30', '2026-05-31'],
    ...['2026-04-30', '2026-03-31', '2026-02-28', '2026-01-31', '2025-12-31'],
  ]);
});

test('never gives up the newest archive, or a file that is none', () => {
  const at = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
  const count = fc.nat(3);
  fc.assert(
    fc.property(
      fc.array(at),
      fc.array(fc.string()),
      fc.record({ days: count, weeks: count, months: count }),
      (times, others, some) => {
        const names = [...times.map((one) => archiveName(one.getTime())), ...others];
        const old = outdated(names, some);
        const newest = Math.max(...names.map((name) => madeAt(name) ?? 0));
        expect(old.every((name) => madeAt(name) !== null && madeAt(name) !== newest)).toBe(true);
      },
    ),
  );
});

const logger = pino({ level: 'silent' });
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
// Several parts of S3, and an odd end.
const archive = Buffer.alloc(22 * 2 ** 20 + 7, 'an archive');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clipferry-places-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a folder that is not there is made, and keeps archives', async () => {
  const kept = join(folder, 'far', 'away');
  const place = await openPlace(kept, folder, logger);
  expect(await place.list()).toEqual([]);
  expect(await place.add('a.tar', (path) => writeFile(path, archive))).toBe(archive.length);
  expect(digest(await readFile(join(kept, 'a.tar')))).toBe(digest(archive));
  await place.remove('a.tar');
  expect(await place.list()).toEqual([]);
});

test('a bucket gets the whole archive, and this machine keeps none', async () => {
  const double = await startS3Double();
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = double.environment;
  const address = new URL(`${S3_ENDPOINT}/${S3_BUCKET}/nights`);
  address.username = encodeURIComponent(S3_ACCESS_KEY_ID);
  address.password = encodeURIComponent(S3_SECRET_ACCESS_KEY);
  address.searchParams.set('region', 'elsewhere');
  await expect(openPlace(address.href, folder, logger)).rejects.toThrow('BACKUP_TO: S3 answered 400');
  address.searchParams.set('region', S3_REGION);
  const place = await openPlace(address.href, folder, logger);
  expect(place.title).toBe(`${S3_ENDPOINT}/${S3_BUCKET}/nights/`);
  expect(await place.add('a.tar', (path) => writeFile(path, archive))).toBe(archive.length);
  expect(readdirSync(folder)).toEqual([]);
  expect(await place.list()).toEqual(['a.tar']);

  const objects = await openObjectStore(double.environment, logger);
  const object = await objects?.open('nights/a.tar');
  expect(digest(Buffer.concat((await object?.body.toArray()) ?? []))).toBe(digest(archive));
  await objects?.close();

  const failing = place.add('b.tar', () => Promise.reject(new Error('no database')));
  await expect(failing).rejects.toThrow('no database');
  await place.remove('a.tar');
  expect(await place.list()).toEqual([]);
  await place.close();
  await double.close();
});
