import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { defineVariables, secret } from '../../../process/variables.ts';
import { parseOperators } from './operators.ts';

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
