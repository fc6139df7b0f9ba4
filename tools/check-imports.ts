/**
 * Fails when an import goes against the direction of the architecture, or when files, or folders of a folder, import
 * each other in a circle. The rules are data, below; the reasons are in CONTRIBUTING.md.
 */
import { globSync } from 'node:fs';
import { sep } from 'node:path';
import { files, floorsOf, type Import, imports, isTest, parentFolders } from './imports.ts';

/** The permitted imports of each area: by value, and by type only. An area may always import itself. */
const core: Record<string, Rule> = {
  'src/api': { values: ['src/failures'] },
  'src/failures': { values: [] },
  'src/i18n': { values: [] },
  'src/images': { values: [] },
  'src/http-client': { values: [] },
  'src/process': { values: ['src/failures'] },
  'src/stores/contracts': { values: [] },
  'src/stores/embedded': { values: ['src/stores/contracts'] },
  'src/stores/scale-out': { values: ['src/stores/contracts'] },
  'src/stores/shared-work': { values: ['src/stores/contracts'] },
  'src/stores': { values: ['src/stores', 'src/process', 'migrations'] },
  'src/downloader': { values: ['src/failures', 'src/images', 'src/process', 'src/stores/contracts'] },
  'src/content': {
    values: [
      ...['src/failures', 'src/i18n', 'src/images', 'src/http-client'],
      ...['src/stores/contracts', 'src/stores/shared-work'],
    ],
  },
};

interface Rule {
  readonly values: readonly string[];
  readonly types?: readonly string[];
}

const coreAreas = Object.keys(core);

/**
 * `app -> features -> server -> site -> core`: features never import each other, server and site know no feature, core
 * nothing above it. The site runs in browsers, too: it takes values of core only from `i18n`.
 */
const allowed: Record<string, Rule> = {
  ...core,
  'src/server': { values: ['src/site', ...coreAreas] },
  'src/site': { values: ['src/i18n'], types: coreAreas },
  ...Object.fromEntries(
    globSync('src/features/*').map((folder) => [
      folder.split(sep).join('/'),
      { values: ['src/server', 'src/site', ...coreAreas] },
    ]),
  ),
  'src/app': { values: ['src/features', 'src/server', 'src/site', ...coreAreas] },
  migrations: { values: [] },
  doubles: { values: [] },
  tests: { values: ['src', 'doubles'] },
  bench: { values: ['src', 'doubles', 'tests/support'] },
  tools: { values: ['src', 'doubles', 'tests/support'] },
};

/** Only the code that opens the object store knows that it is S3. */
const isHidden = ({ from, to }: Import) =>
  to.startsWith('src/stores/scale-out/s3/') &&
  !from.startsWith('src/stores/scale-out/s3/') &&
  from !== 'src/stores/open/object-store.ts';

const areaNames = Object.keys(allowed).sort((a, b) => b.length - a.length);
const isInside = (file: string, area: string) => file === area || file.startsWith(`${area}/`);
const areaOf = (file: string) => areaNames.find((area) => isInside(file, area));

function wrongDirection({ from, to, typeOnly }: Import): boolean {
  if (isHidden({ from, to, typeOnly }) && !isTest(from)) return true;
  const source = areaOf(from);
  const target = areaOf(to);
  if (source === undefined || target === undefined || source === target || isTest(from)) return false;
  const rule = allowed[source];
  const permitted = typeOnly ? [...(rule?.values ?? []), ...(rule?.types ?? [])] : (rule?.values ?? []);
  return !permitted.some((area) => isInside(to, area));
}

function circles(imports: readonly Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const found: string[][] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(file);
    if (seenAt >= 0) {
      found.push([...trail.slice(seenAt), file]);
      return;
    }
    if (done.has(file)) return;
    for (const target of next.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}

const problems = [
  ...imports
    .filter(wrongDirection)
    .map(({ from, to, typeOnly }) => `${from} imports ${typeOnly ? 'types of ' : ''}${to}`),
  ...circles(imports).map((trail) => `circle: ${trail.join(' -> ')}`),
  ...parentFolders
    .map((folder) => ({ folder, ...floorsOf(folder) }))
    .filter(({ circle }) => circle.length > 0)
    .map(
      ({ folder, circle }) => `${folder}: folders that import each other in a circle: ${circle.join(', ')}`,
    ),
  ...files.filter((file) => areaOf(file) === undefined).map((file) => `${file} is in no known area`),
];
for (const problem of problems) console.error(problem);
console.log(`${files.length} files, ${imports.length} imports, ${problems.length} against the rules`);
process.exitCode = problems.length > 0 ? 1 : 0;
