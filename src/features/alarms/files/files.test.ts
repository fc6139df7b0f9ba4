import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { conditions } from '../conditions.ts';
import { grafanaDashboard } from './grafana-dashboard.ts';
import { prometheusRules } from './prometheus-rules.ts';

const rules = new URL('../../../../deploy/prometheus/clipferry.rules.yaml', import.meta.url);
const ruleTests = new URL('../../../../deploy/prometheus/clipferry.rules.test.yaml', import.meta.url);
const dashboard = new URL('../../../../deploy/grafana/clipferry.json', import.meta.url);
const run = promisify(execFile);
const hasPromtool = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);

test('the files are those of the list (node tools/write-monitoring.ts)', () => {
  expect(readFileSync(rules, 'utf8')).toBe(prometheusRules());
  expect(readFileSync(dashboard, 'utf8')).toBe(grafanaDashboard());
  expect(new Set(conditions.map(({ name }) => name)).size).toBe(conditions.length);
});

test.skipIf(!hasPromtool)('Prometheus reads the rules, and they alert when they should', async () => {
  expect((await run('promtool', ['check', 'rules', rules.pathname])).stdout).toContain(
    `${conditions.length} rules found`,
  );
  expect((await run('promtool', ['test', 'rules', ruleTests.pathname])).stdout).toContain('SUCCESS');
});
