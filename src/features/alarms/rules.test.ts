import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { bounds, conditions } from './conditions.ts';

const run = promisify(execFile);
const hasPromtool = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);
const fileOf = (name: string) =>
  new URL(`../../../deploy/prometheus/clipferry.${name}.yaml`, import.meta.url).pathname;

const ruleSchema = z.object({
  alert: z.string(),
  expr: z.string(),
  for: z.string(),
  labels: z.object({ severity: z.string() }),
  annotations: z.object({ summary: z.string(), advice: z.string() }),
});
const rules = z
  .object({ groups: z.tuple([z.object({ rules: z.array(ruleSchema) })]) })
  .parse(parse(readFileSync(fileOf('rules'), 'utf8'))).groups[0].rules;

/** `strategy-broken` is `ClipferryStrategyBroken`. */
const alertOf = (name: string) =>
  `Clipferry${name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

test('there is a rule for each condition, with its words and its patience', () => {
  expect(
    rules.map(({ alert, labels, annotations: { summary, advice }, ...rule }) => [
      ...[alert, labels.severity, rule.for, summary, advice],
    ]),
  ).toEqual(
    conditions.map(({ name, severity, lastsMs, title, advice }) => [
      ...[alertOf(name), severity, `${lastsMs / 60_000}m`, title, advice],
    ]),
  );
});

test.each<[string, readonly (keyof typeof bounds)[]]>([
  ['success-low', ['successShare', 'fewestRequests']],
  ['thin-answers', ['thinShare', 'fewestReadings']],
  ['new-shape', ['shapeShare', 'fewestShapes']],
  ['disk-full', ['diskShare', 'diskBytes']],
  ['queue-long', ['queueShare']],
  ['errors-grow', ['errorFactor', 'fewestErrors']],
])('the rule for %s has the bounds of its condition', (name, own) => {
  const numbers = rules
    .find(({ alert }) => alert === alertOf(name))
    ?.expr.match(/(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g);
  expect(numbers?.map(Number)).toEqual(expect.arrayContaining(own.map((bound) => bounds[bound])));
});

test.skipIf(!hasPromtool)('Prometheus accepts the rules, and they alert when they should', async () => {
  expect((await run('promtool', ['check', 'rules', fileOf('rules')])).stdout).toContain(
    `${conditions.length} rules found`,
  );
  expect((await run('promtool', ['test', 'rules', fileOf('rules.test')])).stdout).toContain('SUCCESS');
});
