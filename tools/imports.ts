/** Reads which files import which, and on which floor of a folder each of its rooms stands. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

/** An import of a file by another; paths from the root of the project. */
export interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

/** All files of code, also tests and tools. */
export const files = globSync('{src,doubles,tests,bench,tools,migrations}/**/*.{ts,tsx}').map((file) =>
  file.split(sep).join('/'),
);

/** A unit test stands beside its subject and may use what the product may not: suites, doubles, test support. */
export const isTest = (file: string) => /\.test\.tsx?$|\/testing\//.test(file);

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const { module } = parseSync(file, text);
  const found: Import[] = [];
  const add = (specifier: string, typeOnly: boolean) => {
    if (!specifier.startsWith('.')) return;
    const to = relative('.', resolve(dirname(file), specifier))
      .split(sep)
      .join('/');
    found.push({ from: file, to, typeOnly });
  };
  for (const one of module.staticImports)
    add(one.moduleRequest.value, one.entries.length > 0 && one.entries.every((entry) => entry.isType));
  for (const one of module.staticExports)
    for (const entry of one.entries) if (entry.moduleRequest) add(entry.moduleRequest.value, entry.isType);
  for (const { moduleRequest } of module.dynamicImports) {
    const [, specifier] =
      /^['"`]([^$]*)['"`]$/.exec(text.slice(moduleRequest.start, moduleRequest.end)) ?? [];
    // A computed import refers to build output, which is not source code.
    if (specifier !== undefined) add(specifier, false);
  }
  return found;
}

/** All imports of relative paths, by value, by type and on demand. */
export const imports: readonly Import[] = files.flatMap(importsOf);

/** The imports between a folder's rooms (its folders), tests not counted. */
function neighbours(folder: string): ReadonlyMap<string, ReadonlySet<string>> {
  const room = (file: string) => {
    if (!file.startsWith(`${folder}/`)) return undefined;
    const [name, ...inside] = file.slice(folder.length + 1).split('/');
    return inside.length > 0 ? name : undefined;
  };
  const found = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [source, target] = [room(from), room(to)];
    if (isTest(from)) continue;
    if (target !== undefined && !found.has(target)) found.set(target, new Set());
    if (source === undefined) continue;
    const targets = found.get(source) ?? new Set();
    if (target !== undefined && target !== source) targets.add(target);
    found.set(source, targets);
  }
  return found;
}

/** The folders of the product that have folders. */
export const parentFolders: readonly string[] = [
  ...new Set(
    files
      .filter((file) => file.startsWith('src/'))
      .flatMap((file) => {
        const names = file.split('/').slice(0, -2);
        return names.map((_, at) => names.slice(0, at + 1).join('/'));
      }),
  ),
].sort();

/**
 * A folder's rooms by floor, the lowest first: a room stands above all that it imports. Rooms that import each other in a
 * circle are named apart, and those above them stand on no floor.
 */
export function floorsOf(folder: string): { floors: string[][]; circle: string[] } {
  const left = new Map(neighbours(folder));
  const take = (isFree: (name: string, below: ReadonlySet<string>) => boolean) => {
    const taken = [...left].filter(([name, below]) => isFree(name, below)).map(([name]) => name);
    for (const name of taken) left.delete(name);
    return taken.sort();
  };
  const floors: string[][] = [];
  const takeFloor = () => take((_, below) => [...below].every((name) => !left.has(name)));
  for (let floor = takeFloor(); floor.length > 0; floor = takeFloor()) floors.push(floor);
  const isImported = (name: string) => [...left.values()].some((below) => below.has(name));
  while (take((name) => !isImported(name)).length > 0);
  return { floors, circle: [...left.keys()].sort() };
}
