import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StorageFull } from '../../../stores/contracts/file-store.ts';
import { ofThisProcess, withScratchFolder } from './scratch.ts';

let place: string;
let mask: number;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'clipferry-scratch-'));
  mask = process.umask();
});
afterEach(() => {
  process.umask(mask);
  rmSync(place, { recursive: true, force: true });
});

test('removes what killed processes of this machine left, and nothing else', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  const ofDeadProcess = ofThisProcess.replace(`.${process.pid}.`, `.${pid}.`);
  const ofOtherMachine = `.another-machine.${pid}.`;
  for (const mark of [ofDeadProcess, ofThisProcess, ofOtherMachine]) {
    mkdirSync(join(place, `.clipferry${mark}abcdef`));
    writeFileSync(join(place, `.clipferry${mark}abcdef`, 'database'), 'messages');
    writeFileSync(join(place, `site.tar${mark}partial`), 'half');
  }
  writeFileSync(join(place, 'site.tar'), 'whole');
  await withScratchFolder(place, async (folder) => {
    writeFileSync(join(folder, 'database'), 'messages');
    expect(statSync(join(folder, 'database')).mode & 0o077).toBe(0);
  });
  expect(readdirSync(place).toSorted()).toEqual(
    [ofThisProcess, ofOtherMachine]
      .flatMap((mark) => [`.clipferry${mark}abcdef`, `site.tar${mark}partial`])
      .concat('site.tar')
      .toSorted(),
  );
});

test('a full disk has a name of its own, whoever found it full', async () => {
  const fill = async (folder: string) => {
    const file = new DatabaseSync(join(folder, 'database'));
    file.exec('pragma max_page_count = 20; create table notes (text text)');
    file.prepare('insert into notes values (?)').run('x'.repeat(1_000_000));
  };
  await expect(withScratchFolder(place, fill)).rejects.toThrow(StorageFull);
  const noRoom = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  await expect(withScratchFolder(place, () => Promise.reject(noRoom))).rejects.toThrow(place);
  expect(readdirSync(place)).toEqual([]);
});
