import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { defineVariables, secret } from '../../../process/variables.ts';
import { operatorName } from './operator-name.ts';

/** A person who may log in at the desk. */
export interface Operator {
  /** In the log-in form and the audit log; empty for whoever has the one password. */
  readonly name: string;
  readonly salt: Uint8Array;
  /** Scrypt hash of the password. */
  readonly hash: Uint8Array;
  /** Key of the second factor, in base32; null without one. */
  readonly codeKey: string | null;
}

/** The operators of now. */
export interface Operators {
  all(): Promise<readonly Operator[]>;
  /** Whether the log-in asks for a name. */
  readonly areNamed: boolean;
}

/** PHC string format, with the one cost that the desk hashes with. */
const hashForm = /^\$scrypt\$ln=15,r=8,p=1\$([\w+/-]{22})\$([\w+/-]{43})$/;
/** At least the 128 bits that RFC 4226 asks for. */
const codeKeyForm = /^[A-Z2-7]{26,128}$/;

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '');

/** An operator's line in the file: `NAME:HASH` or `NAME:HASH:KEY`. */
export const operatorLine = ({ name, salt, hash, codeKey }: Operator): string =>
  [name, `$scrypt$ln=15,r=8,p=1$${text(salt)}$${text(hash)}`, codeKey ?? []].flat().join(':');

function parseLine(line: string): Operator | string {
  const [name = '', hashed = '', codeKey, ...rest] = line.split(':');
  const [, salt, hash] = hashForm.exec(hashed) ?? [];
  if (!operatorName.test(name)) return 'begins with no name';
  if (salt === undefined || hash === undefined) return `the hash of ${name} is not one of "operator add"`;
  if ((codeKey !== undefined && !codeKeyForm.test(codeKey)) || rest.length > 0)
    return `the key of ${name} is not one of "operator add"`;
  return {
    name: name.normalize('NFC'),
    ...{ salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64'), codeKey: codeKey ?? null },
  };
}

/**
 * Reads the text of a file of operators, one a line. Empty lines and those after `#` are skipped.
 * @returns the operators of the lines that are right, and what is wrong with the others, without what they hold
 */
export function parseOperators(content: string): {
  operators: readonly Operator[];
  problems: readonly string[];
} {
  const operators: Operator[] = [];
  const problems: string[] = [];
  for (const [at, line] of content.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const parsed = parseLine(trimmed);
    if (typeof parsed === 'string') problems.push(`line ${at + 1}: ${parsed}`);
    else if (operators.some(({ name }) => name === parsed.name))
      problems.push(`line ${at + 1}: ${parsed.name} has a line already`);
    else operators.push(parsed);
  }
  if (operators.length === 0) problems.push('it names nobody');
  return { operators, problems };
}

/** The one operator of a site with one password. */
export const oneOperator = (operator: Operator): Operators => ({
  areNamed: false,
  all: async () => [operator],
});

/**
 * The operators of a file, which is read again when it changes. A line that is wrong lets nobody in, and neither does
 * a file that is gone.
 */
export function operatorsOfFile(path: string, logger: Pick<Logger, 'error'>): Operators {
  let known: { readonly version: string; readonly operators: readonly Operator[] } | null = null;

  function read(): readonly Operator[] {
    const { operators, problems } = parseOperators(readFileSync(path, 'utf8'));
    if (problems.length > 0) logger.error({ problems }, 'OPERATOR_PASSWORDS_FILE has wrong lines');
    return operators;
  }

  return {
    areNamed: true,
    async all() {
      try {
        const { mtimeMs, size, ino } = await stat(path);
        const version = `${mtimeMs} ${size} ${ino}`;
        if (known?.version !== version) known = { version, operators: read() };
      } catch (error) {
        if (known?.version !== '') logger.error({ err: error }, 'OPERATOR_PASSWORDS_FILE cannot be read');
        known = { version: '', operators: [] };
      }
      return known.operators;
    },
  };
}

/** Mistakes of a file of operators, without its secrets; empty when it is right. */
function problemsOf(path: string): readonly string[] {
  try {
    return parseOperators(readFileSync(path, 'utf8')).problems;
  } catch (error) {
    return [`must be a file that can be read (${(error as NodeJS.ErrnoException).code})`];
  }
}

/** Variables of the desk: one password, or a file of operators. */
export const operatorVariables = defineVariables(
  {
    OPERATOR_PASSWORD: secret(12).max(200, 'must have at most 200 characters').optional(),
    OPERATOR_PASSWORDS_FILE: z
      .string()
      .superRefine((path, context) => {
        const problems = problemsOf(path);
        if (problems.length > 0) context.addIssue({ code: 'custom', message: problems.join('; ') });
      })
      .optional(),
  },
  {},
  // A password without a second factor would be a way around it.
  { OPERATOR_PASSWORD: 'OPERATOR_PASSWORDS_FILE' },
);
