import { execFile } from 'node:child_process';
import { compileCache } from './processes.ts';

/** What one of the operator's commands did. */
export interface CommandResult {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs `npm run cli -- …` with an environment of its own. */
export function runCli(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['src/app/cli/main.ts', ...words],
      { env: { PATH: process.env.PATH ?? '', ...compileCache, ...env } },
      (error, output, errors) => resolve({ code: Number(error?.code ?? 0), output, errors }),
    );
  });
}
