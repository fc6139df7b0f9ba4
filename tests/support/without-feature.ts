import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const list = 'src/app/features.ts';

/** The types of the build, which the router's generator would write; it has not run in a fresh clone. */
const serverBuild = `declare module 'virtual:react-router/server-build' {
  import type { ServerBuild } from 'react-router';
  ${[
    ...['assets', 'assetsBuildDirectory', 'basename', 'entry', 'future', 'isSpaMode', 'prerender'],
    ...['publicPath', 'routeDiscovery', 'routes', 'ssr'],
  ]
    .map((name) => `export const ${name}: ServerBuild['${name}'];`)
    .join('\n')}
}`;

/** Every feature, by the name of its folder. */
export const featureNames = (): string[] => globSync('src/features/*').map((folder) => basename(folder));

/** The sources, all but the journeys. */
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 2 ** 24,
})
  .split('\0')
  .filter((file) => existsSync(file))
  .filter((file) =>
    /^(?:src|doubles|bench|tools|migrations|tests\/support)\/|^[^/]+\.(?:json|ts)$/.test(file),
  );

/**
 * The files outside a feature's folder that name it, besides the list of features: style sheets, build tools and
 * settings do so in ways that the compiler does not see.
 */
export function mentionsOf(feature: string): string[] {
  const named = `features/${feature}/`;
  // package.json contains a script that starts a feature's own program.
  const isOwn = (file: string) => file.startsWith(`src/${named}`) || /^(?:tests\/|package\.json$)/.test(file);
  const textOf = (file: string) => {
    const text = readFileSync(file, 'utf8');
    return file === list ? text.replace(`'../${named}feature.ts'`, '') : text;
  };
  return files.filter((file) => !isOwn(file) && textOf(file).includes(named));
}

/** A copy of the product's sources, from which features can be removed. */
interface SourceCopy {
  /**
   * Deletes a feature's folder, and its line in the list of features, and compiles the rest.
   * @returns what no longer compiles
   */
  without(feature: string): Promise<string[]>;
  remove(): void;
}

/** Copies the sources into a temporary folder. */
export function copySources(): SourceCopy {
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-sources-'));
  for (const file of files) cpSync(file, join(folder, file), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'server-build.d.ts'), serverBuild);
  const { exclude } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as { exclude: string[] };
  const settings = {
    extends: './tsconfig.json',
    compilerOptions: { incremental: true, tsBuildInfoFile: 'tsconfig.tsbuildinfo' },
    include: ['src', 'doubles', 'bench', 'tools', '*.ts'],
    exclude,
  };
  writeFileSync(join(folder, 'tsconfig.copy.json'), JSON.stringify(settings));

  const read = (file: string) => readFileSync(join(folder, file), 'utf8');

  async function wrongTypes(): Promise<string[]> {
    const compiler = join(folder, 'node_modules/.bin/tsc');
    try {
      await run(compiler, ['--project', 'tsconfig.copy.json', '--pretty', 'false', '--singleThreaded'], {
        cwd: folder,
      });
      return [];
    } catch (error) {
      const { stdout = '' } = error as { stdout?: string };
      const lines = stdout.split('\n').filter((line) => line.includes(': error TS'));
      if (lines.length === 0) throw error;
      return lines.filter((line) => !line.startsWith('tests/'));
    }
  }

  return {
    async without(feature) {
      const path = join('src/features', feature);
      const listed = read(list);
      const [line] =
        new RegExp(`^import (\\w+) from '../features/${feature}/feature.ts';\n`, 'm').exec(listed) ?? [];
      const [, name] = /^import (\w+)/.exec(line ?? '') ?? [];
      rmSync(join(folder, path), { recursive: true });
      if (line !== undefined)
        writeFileSync(join(folder, list), listed.replace(line, '').replace(`  ${name},\n`, ''));
      try {
        return await wrongTypes();
      } finally {
        writeFileSync(join(folder, list), listed);
        cpSync(path, join(folder, path), { recursive: true });
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
