import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

const { dependencies, scripts } = JSON.parse(read('package.json'));
const dockerfile = read('Dockerfile');
const unit = read('deploy/systemd/clipferry.service');

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
const inUnit = all(unit, /^Environment=(.*)$/gm).flatMap((line) => all(line, /(\w+)=/g));
const inImage = all(dockerfile, /^ENV (.*)$/gm).flatMap((line) => all(line, /(\w+)=/g));

test.each<readonly [string, string[]]>([
  ['Dockerfile', inImage],
  ['deploy/systemd/clipferry.service', inUnit],
  ...globSync('deploy/**/*.yaml', { cwd: root }).map((path) => [path, settingsOfYaml(path)] as const),
])('%s names settings that there are', (_, settings) => {
  expect(settings.filter((name) => !known.has(name))).toEqual([]);
});

test('settings are found in each kind of file', () => {
  expect(inImage).toContain('DATA_DIR');
  expect(inUnit).toContain('TRUST_PROXY');
  expect(settingsOfYaml('deploy/compose/compose.yaml')).toContain('SITE_ORIGIN');
  expect(settingsOfYaml('deploy/compose/compose.many.yaml')).toContain('REDIS_URL');
  expect(settingsOfYaml('deploy/kubernetes/kustomization.yaml')).toContain('S3_BUCKET');
  expect(settingsOfYaml('deploy/kubernetes/converter.yaml')).toContain('CONVERSIONS');
});

test('the image runs the Node that the packages bring', () => {
  expect(all(dockerfile, /^ARG NODE_VERSION=(.*)$/gm)).toEqual([dependencies.node]);
});

test('the unit runs what `npm start` runs', () => {
  const [command] = all(unit, /^ExecStart=.*\/node (.*)$/gm);
  expect(`node ${command}`).toBe(scripts.start.replace(/.*exec /, ''));
});
