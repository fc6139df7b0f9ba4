import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { secretKey } from './secret-key.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'clipferry-key-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

test('creates a key once, keeps it private, and finds it again', () => {
  const data = join(folder(), 'data');
  const key = secretKey(undefined, data);
  expect(key).toHaveLength(32);
  expect(secretKey(undefined, data)).toEqual(key);
  expect(secretKey(undefined, folder())).not.toEqual(key);
  expect(statSync(join(data, 'secret-key')).mode & 0o777).toBe(0o600);
});

test('a key that is there is read without writing, which a full disk would refuse', () => {
  const data = folder();
  const key = secretKey(undefined, data);
  utimesSync(data, 1, 1);
  expect(secretKey(undefined, data)).toEqual(key);
  expect(statSync(data).mtimeMs).toBe(1000);
});

test("uses the operator's key unchanged; a damaged key stops the start", () => {
  expect(Buffer.from(secretKey('x'.repeat(32), '/no/such/folder')).toString()).toBe('x'.repeat(32));
  const data = folder();
  writeFileSync(join(data, 'secret-key'), 'short');
  expect(() => secretKey(undefined, data)).toThrow(/secret-key/);
});
