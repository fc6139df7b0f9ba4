import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The folders of programs as a machine has them, without those of our packages. */
const machinePath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'));
const machineNpm = machinePath.map((folder) => join(folder, 'npm')).find((file) => existsSync(file));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clipferry-clone-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What git keeps, and nothing of what was installed or built. */
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
 * A machine whose Node does for npm and for getting ready, but not for the product; and an npm that needs no network:
 * the packages and the build that it would make are those that are here.
 */
function makeMachine(): void {
  writeProgram(
    'node',
    `case "$*" in *src/start/*) echo "started with the machine's Node" >&2; exit 1;; esac\nexec '${process.execPath}' "$@"`,
  );
  writeProgram(
    'npm',
    `case "$*" in
      ci*) mkdir node_modules && for one in '${resolve('node_modules')}'/* '${resolve('node_modules/.bin')}'; do ln -s "$one" node_modules/; done;;
      'run --silent build') cp -r '${resolve('build')}' build;;
      *) exec '${machineNpm}' "$@";;
    esac`,
  );
}

test('npm start in a fresh clone runs the product with the Node of its packages', async () => {
  const clone = makeClone();
  makeMachine();
  expect(existsSync(join(clone, 'node_modules'))).toBe(false);
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
  const told: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => told.push(String(chunk)));
  const exited = once(child, 'exit');
  try {
    let origin: string | undefined;
    for await (const line of createInterface({ input: child.stdout })) {
      told.push(line);
      origin = /"origin":"([^"]*)".*"msg":"ready"/.exec(line)?.[1];
      if (origin !== undefined) break;
    }
    expect(origin, told.join('\n')).toBeDefined();
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    expect(metrics).toContain(`nodejs_version_info{version="${process.version}"`);
  } finally {
    // npm, the shell and the product are a group of processes.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await exited;
  }
});
