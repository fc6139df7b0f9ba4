import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { conditions } from '../conditions.ts';
import { monitoringFiles } from './monitoring-files.ts';

const deploy = new URL('../../../../deploy/', import.meta.url);
const rules = new URL('prometheus/clipferry.rules.yaml', deploy);
const ruleTests = new URL('prometheus/clipferry.rules.test.yaml', deploy);
const run = promisify(execFile);
const hasPromtool = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);

test('the files match the list (npm run cli -- alarms files deploy)', () => {
  for (const [name, text] of Object.entries(monitoringFiles()))
    expect(readFileSync(new URL(name, deploy), 'utf8')).toBe(text);
  expect(new Set(conditions.map(({ name }) => name)).size).toBe(conditions.length);
});

test.skipIf(!hasPromtool)('Prometheus accepts the rules, and they alert when they should', async () => {
  expect((await run('promtool', ['check', 'rules', rules.pathname])).stdout).toContain(
    `${conditions.length} rules found`,
  );
  expect((await run('promtool', ['test', 'rules', ruleTests.pathname])).stdout).toContain('SUCCESS');
});
