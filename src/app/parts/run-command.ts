import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Core } from '../../server/feature.ts';

const program = fileURLToPath(new URL('../cli/main.ts', import.meta.url));

/** Runs a command of `src/app/cli/` with this process's environment. */
export const runCommand: Core['runCommand'] = (words, signal) => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(process.execPath, [program, ...words], { signal }, (error, output, errors) => {
    if (error === null) resolve(output);
    else reject(new Error(errors.trim().split('\n').at(-1) || error.message, { cause: error }));
  });
  return promise;
};
