import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { quietMs } from '../watch.ts';
import { bounds, conditions } from './conditions.ts';
import { runbooks } from './runbooks.ts';

const run = promisify(execFile);
const hasPromtool = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);
const fileOf = (name: string) =>
  fileURLToPath(new URL(`../../../../deploy/prometheus/clipferry.${name}.yaml`, import.meta.url));

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
      ...[
        alertOf(name),
        severity,
        lastsMs < 60_000 ? `${lastsMs / 1000}s` : `${lastsMs / 60_000}m`,
        title,
        advice,
      ],
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

/** Texts of the log, in the code that writes them. */
const sources = globSync('src/**/*.ts', { exclude: ['**/alarms/conditions/**', '**/*.test.ts'] });

test('each condition has a runbook, whose lines the program writes', () => {
  expect(conditions.map(({ name }) => name)).toEqual(Object.keys(runbooks));
  const code = sources.map((file) => readFileSync(file, 'utf8')).join('\n');
  const lines = conditions.flatMap(({ log }) => log);
  expect(lines.filter((line) => !code.includes(`'${line}'`) && !code.includes(`"${line}"`))).toEqual([]);
});

const timeOf = (ms: number) => (ms < 60_000 ? `${ms / 1000} s` : `${ms / 60_000} min`);

/** `docs/alarms.md`: the runbooks as they are at the desk. */
function document(): string {
  const rows = conditions.map(({ name, title, when, severity, lastsMs }) => {
    const anchor = title.toLowerCase().replaceAll(' ', '-');
    return `| [${name}](#${anchor}) | ${severity} | ${when} | ${timeOf(lastsMs)} |`;
  });
  const parts = conditions.map(({ title, steps, log }) =>
    [
      `## ${title}`,
      steps.map((step, at) => `${at + 1}. ${step}`).join('\n'),
      `Log: ${log.map((line) => `\`${line}\``).join(', ')}.`,
    ].join('\n\n'),
  );
  const own = conditions.flatMap(({ name, quietMs: ms }) => (ms === undefined ? [] : [{ name, ms }]));
  const exceptions = own.map(({ name, ms }) => `${name}: ${timeOf(ms)}`).join(', ');
  const head = [
    '# Alarms',
    'What raises each [alarm](operating.md#alarms), and what to do, as at the desk. [How to call `clipferry`](commands.md#calling-them). The tests write this file.',
    ['| alarm | severity | raised when | for |', '| --- | --- | --- | --- |', ...rows].join('\n'),
    `An alarm ends when its cause has been gone for ${timeOf(quietMs)} (${exceptions}).`,
  ].join('\n\n');
  return `${[head, ...parts].join('\n\n')}\n`;
}

test('the documentation has the runbooks', async () => {
  await expect(document()).toMatchFileSnapshot('../../../../docs/alarms.md');
});

test.skipIf(!hasPromtool)('Prometheus accepts the rules, and they alert when they should', async () => {
  expect((await run('promtool', ['check', 'rules', fileOf('rules')])).stdout).toContain(
    `${conditions.length} rules found`,
  );
  expect((await run('promtool', ['test', 'rules', fileOf('rules.test')])).stdout).toContain('SUCCESS');
});
