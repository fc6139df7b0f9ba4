import { spawn } from 'node:child_process';

const mostErrorBytes = 4000;

/** A program of PostgreSQL that is missing, too old, or failed; its message is for the operator. */
class ProgramFailed extends Error {
  override readonly name = 'ProgramFailed';
}

/** @returns its standard output. @throws ProgramFailed */
function run(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-mostErrorBytes);
    });
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new ProgramFailed(
          error.code === 'ENOENT'
            ? `${program} is not in PATH: install PostgreSQL's client programs (Debian: postgresql-client)`
            : `${program}: ${error.message}`,
          { cause: error },
        ),
      ),
    );
    child.once('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new ProgramFailed(`${program} failed (${code ?? signal}): ${errors.trim()}`));
    });
  });
}

/**
 * How these programs reach the database. Everybody on a machine can read a command line, so the password goes by the
 * environment.
 */
function connectionOf(databaseUrl: string): { readonly url: string; readonly env: NodeJS.ProcessEnv } {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  // These programs read "+" as itself, not as a space.
  url.search = url.search.replaceAll('+', '%20');
  return { url: url.href, env: { ...process.env, ...(password !== '' && { PGPASSWORD: password }) } };
}

/** @throws ProgramFailed when the program is missing or older than the server. @param serverVersion as `server_version_num` */
export async function checkPostgresqlProgram(
  program: 'pg_dump' | 'pg_restore',
  serverVersion: number,
): Promise<void> {
  const text = await run(program, ['--version'], process.env);
  const major = Number(/(\d+)(?:\.\d+)*\D*$/.exec(text.split('(')[0] ?? '')?.[1]);
  const needed = Math.floor(serverVersion / 10_000);
  if (major < needed)
    throw new ProgramFailed(
      `${program} is of PostgreSQL ${major}, the server of ${needed}: install the client programs of ${needed}`,
    );
}

/** Writes what a snapshot of the database shows into a file. @param schema where the tables are */
export async function dumpPostgresql(
  databaseUrl: string,
  { file, schema, snapshot }: { readonly file: string; readonly schema: string; readonly snapshot: string },
): Promise<void> {
  const { url, env } = connectionOf(databaseUrl);
  const words = ['--format=custom', '--no-owner', '--no-privileges', `--schema="${schema}"`];
  await run('pg_dump', [...words, `--snapshot=${snapshot}`, `--file=${file}`, `--dbname=${url}`], env);
}

/** What a dump holds, without the schema itself, which is there already. @throws ProgramFailed */
export async function listDump(file: string): Promise<string> {
  const text = await run('pg_restore', ['--list', file], process.env);
  return text
    .split('\n')
    .filter((line) => !/^\d+; \d+ \d+ (?:SCHEMA|COMMENT - SCHEMA) /.test(line))
    .join('\n');
}

/** Writes a dump into the database: all or nothing. @param list a file with the wanted lines of {@link listDump} */
export async function restoreDump(databaseUrl: string, file: string, list: string): Promise<void> {
  const { url, env } = connectionOf(databaseUrl);
  const words = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction'];
  await run('pg_restore', [...words, `--use-list=${list}`, `--dbname=${url}`, file], env);
}
