import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareDataFolder } from './data-folder.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'clipferry-folder-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const modeOf = (folder: string) => statSync(folder).mode & 0o7777;

test('a new data folder, and one that was open, are closed to others', () => {
  const made = join(place, 'made');
  prepareDataFolder(made);
  expect(modeOf(made)).toBe(0o700);
  chmodSync(made, 0o755);
  prepareDataFolder(made);
  expect(modeOf(made)).toBe(0o700);
});

test('a folder that is meant for everybody stays open', () => {
  const common = join(place, 'common');
  mkdirSync(common);
  chmodSync(common, 0o1777);
  prepareDataFolder(common);
  expect(modeOf(common)).toBe(0o1777);
});
