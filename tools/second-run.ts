// Reruns failed browser and fault journeys, alone: a busy machine fails one of thousands now and then. Prints "flaky:
// NAME" for each that passes then. Unit tests and HTTP journeys are not rerun.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';

const reportSchema = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});

/** Vitest's JSON report, as far as it is read here. */
export type TestReport = z.infer<typeof reportSchema>;

/** A test that failed, by its file (relative to the repository) and full name. */
export interface FailedTest {
  readonly file: string;
  /** Null when the file failed outside its tests, in a hook or an import. */
  readonly name: string | null;
}

/** With more failures than this the change is to blame, not the machine. */
const maxSecondRuns = 5;

/** The name that Vitest matches against `--testNamePattern`. */
const fullName = (test: { ancestorTitles: string[]; title: string }) =>
  [...test.ancestorTitles, test.title].join(' > ');

/** Every test that failed, and every file that failed without one. */
export function failedTests({ testResults }: TestReport, root: string): FailedTest[] {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name).split(sep).join('/');
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length > 0) return failed.map((test): FailedTest => ({ file, name: fullName(test) }));
    return status === 'failed' ? [{ file, name: null }] : [];
  });
}

/** Whether these failures may be temporary: only a few browser or fault journeys failed. */
export function deserveSecondRun(failed: readonly FailedTest[]): boolean {
  return (
    failed.length > 0 &&
    failed.length <= maxSecondRuns &&
    failed.every(({ file }) => /^tests\/(browser|faults)\//.test(file))
  );
}

/** Vitest arguments that run one test, or one file, alone. */
export function argumentsFor({ file, name }: FailedTest): string[] {
  const only = name === null ? [] : ['--testNamePattern', `^${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`];
  return ['run', '--project', 'journeys', '--project', 'browser', '--maxWorkers', '1', file, ...only];
}

/** Runs a test alone. @returns whether it ran and passed: a name without a match does not pass */
function passesAlone(test: FailedTest): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'second-run-'));
  try {
    const file = join(folder, 'report.json');
    const reporters = ['--reporter', 'default', '--reporter', 'json', '--outputFile.json', file];
    // The standard output is for the names of flaky tests.
    const { status } = spawnSync('vitest', [...argumentsFor(test), ...reporters], {
      stdio: ['ignore', 2, 2],
    });
    return status === 0 && readReport(file).numPassedTests > 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const readReport = (file: string) => reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

if (import.meta.main) {
  const [reportFile] = process.argv.slice(2);
  if (reportFile === undefined) {
    console.error("second-run: name the file of Vitest's JSON report");
    process.exit(2);
  }
  const failed = failedTests(readReport(reportFile), process.cwd());
  if (!deserveSecondRun(failed)) process.exit(1);
  for (const test of failed) if (!passesAlone(test)) process.exit(1);
  for (const { file, name } of failed) console.log(`flaky: ${file}${name === null ? '' : ` > ${name}`}`);
}
