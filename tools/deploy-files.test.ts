import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

const { dependencies, scripts } = JSON.parse(read('package.json'));
const dockerfile = read('Dockerfile');
const units = {
  start: read('deploy/systemd/clipferry.service'),
  jobs: read('deploy/systemd/clipferry-jobs.service'),
};

interface Settings {
  readonly image?: string;
  readonly environment?: object;
  readonly env?: readonly { readonly name: string }[];
  readonly literals?: readonly string[];
  readonly [other: string]: unknown;
}

/** Names of the settings that a YAML tree hands to our programs: Compose, Kubernetes, Kustomize. */
function settingsIn(tree: unknown): string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const { image, environment, env, literals, ...rest } = tree as Settings;
  return [
    ...(image === 'clipferry' ? Object.keys(environment ?? {}) : []),
    ...(env ?? []).map(({ name }) => name),
    ...(literals ?? []).map((literal) => literal.replace(/=.*/s, '')),
    ...Object.values(rest).flatMap(settingsIn),
  ];
}

function settingsOfYaml(path: string): string[] {
  return parseAllDocuments(read(path), { merge: true }).flatMap((document) => {
    expect(document.errors).toEqual([]);
    return settingsIn(document.toJS());
  });
}

const known = new Set([
  'NODE_ENV',
  ...all(read('src/start/process/environment.ts'), /^ {2}([A-Z][A-Z\d_]+): /gm),
]);
const inUnit = (unit: string) => all(unit, /^Environment=(.*)$/gm).flatMap((line) => all(line, /(\w+)=/g));
const inImage = all(dockerfile, /^ENV (.*)$/gm).flatMap((line) => all(line, /(\w+)=/g));

test.each<readonly [string, string[]]>([
  ['Dockerfile', inImage],
  ['deploy/systemd/clipferry.service', inUnit(units.start)],
  ['deploy/systemd/clipferry-jobs.service', inUnit(units.jobs)],
  ...globSync('deploy/**/*.yaml', { cwd: root }).map((path) => [path, settingsOfYaml(path)] as const),
])('%s names settings that there are', (_, settings) => {
  expect(settings.filter((name) => !known.has(name))).toEqual([]);
});

test('settings are found in each kind of file', () => {
  expect(inImage).toContain('DATA_DIR');
  expect(inUnit(units.start)).toContain('TRUST_PROXY');
  expect(settingsOfYaml('deploy/compose/compose.yaml')).toContain('SITE_ORIGIN');
  expect(settingsOfYaml('deploy/compose/compose.many.yaml')).toContain('REDIS_URL');
  expect(settingsOfYaml('deploy/kubernetes/kustomization.yaml')).toContain('S3_BUCKET');
  expect(settingsOfYaml('deploy/kubernetes/converter.yaml')).toContain('CONVERSIONS');
});

test('the image runs the Node that the packages bring', () => {
  expect(all(dockerfile, /^ARG NODE_VERSION=(.*)$/gm)).toEqual([dependencies.node]);
});

test.each(['start', 'jobs'] as const)('the unit runs what the script %s runs', (script) => {
  const [command] = all(units[script], /^ExecStart=.*\/node (.*)$/gm);
  expect(`node ${command}`).toBe(scripts[script].replace(/.*exec /, ''));
});

/** The Compose file's services, or the containers of a Kubernetes file, by name. */
function settingsOf(path: string, name: string): Record<string, string> {
  const [tree] = parseAllDocuments(read(path), { merge: true }).map((document) => document.toJS());
  if (tree.services !== undefined) return tree.services[name].environment;
  const { env = [] } = tree.spec.template.spec.containers.find((one: { name: string }) => one.name === name);
  return Object.fromEntries(env.map((one: { name: string; value: string }) => [one.name, one.value]));
}

test('where there are converters the sites convert nothing', () => {
  const compose = 'deploy/compose/compose.many.yaml';
  expect(settingsOf(compose, 'site').CONVERSIONS).toBe('0');
  expect(settingsOf(compose, 'converter').CONVERSIONS).toMatch(/:-[1-9]\d*\}$/);
  expect(settingsOf('deploy/kubernetes/site.yaml', 'site').CONVERSIONS).toBe('0');
  expect(settingsOf('deploy/kubernetes/converter.yaml', 'converter').CONVERSIONS).toMatch(/^[1-9]\d*$/);
});

test('the one machine of Compose takes what the first steps to many set', () => {
  const handedOn = Object.entries(settingsOf('deploy/compose/compose.yaml', 'site'))
    .filter(([, value]) => value === null)
    .map(([name]) => name);
  expect(handedOn).toEqual(
    expect.arrayContaining(['DATABASE_URL', 'SECRET_KEY', 'REDIS_URL', 'S3_ENDPOINT']),
  );
});
