import { execFile } from 'node:child_process';
import { compileCache } from './processes.ts';

/** The result of one of the operator's commands. */
export interface CommandResult {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs `npm run cli -- …` with its own environment. */
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
