import { readFileSync, statSync } from 'node:fs';
import type { Check, Finding } from '../../../server/commands/checks.ts';
import { operatorVariables, parseOperators } from './operators.ts';

const readableByAll = 0o004;

/** Whether the desk is open, and each operator has a second factor. */
const desk: Check = {
  name: 'desk',
  todo: 'correct OPERATOR_PASSWORDS_FILE',
  async run({ environment }): Promise<readonly Finding[]> {
    const { OPERATOR_PASSWORD, OPERATOR_PASSWORDS_FILE: file } = operatorVariables.read(environment);
    if (OPERATOR_PASSWORD !== undefined)
      return [{ level: 'ok', what: 'one password, without a second factor' }];
    if (file === undefined)
      return [
        {
          ...{ level: 'ok', what: 'there is none at /operator' },
          todo: 'to see how the site fares, set OPERATOR_PASSWORD or OPERATOR_PASSWORDS_FILE',
        },
      ];
    if ((statSync(file).mode & readableByAll) !== 0)
      return [{ level: 'warning', what: `every account can read ${file}`, todo: `chmod o-r ${file}` }];
    const { operators } = parseOperators(readFileSync(file, 'utf8'));
    const without = operators.filter(({ codeKey }) => codeKey === null).map(({ name }) => name);
    const what = `${operators.length} operators`;
    if (without.length === 0) return [{ level: 'ok', what: `${what}, each with a second factor` }];
    return [
      {
        ...{ level: 'warning', what: `${what}, and no second factor for ${without.join(', ')}` },
        todo: 'replace their lines by those of "operator add"',
      },
    ];
  },
};

export default [desk];
