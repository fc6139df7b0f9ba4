import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { operatorPassword, visitDesk } from '../support/desk.ts';
import { startJourney } from '../support/journey.ts';

test('the operator has a backup made, restores it, and hears why another one fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-nights-'));
  const archives = join(folder, 'archives');
  const env = { OPERATOR_PASSWORD: operatorPassword, BACKUP_TO: archives };
  const journey = await startJourney({ env });
  const desk = visitDesk(journey);
  await desk.logIn();
  expect(await desk.read('/operator/backups')).toContain('none yet');

  const made = await desk.send('/operator/backups', 'make');
  const [name = '', ...others] = readdirSync(archives);
  expect(others).toEqual([]);
  expect(made.notice).toBe(`${name} was made.`);
  expect(made.html).toMatch(/Archives<\/dt><dd>1</);

  const restored = await runCli(['restore', join(archives, name)], { DATA_DIR: join(folder, 'data') });
  expect(restored.code).toBe(0);

  rmSync(archives, { recursive: true });
  writeFileSync(archives, 'no folder');
  const again = await desk.send('/operator/backups', 'make');
  expect(again.notice).toContain('EEXIST');
  expect(again.html).toContain('cannot be read');
  await journey.stop();
  rmSync(folder, { recursive: true });
});
