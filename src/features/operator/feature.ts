import type { Environment } from '../../process/environment.ts';
import type { Feature } from '../../server/feature.ts';
import { operatorVariables as variables } from './log-in/operators.ts';

/** The password or the file of operators; null without a desk. */
function whoIn(environment: Pick<Environment, 'variables'>) {
  const { OPERATOR_PASSWORD: password, OPERATOR_PASSWORDS_FILE: file } = variables.read(environment);
  if (file !== undefined) return { file };
  return password === undefined ? null : { password };
}

/** Without a password nothing of the desk is loaded. */
export default {
  variables,
  audience: ({ environment }) => (whoIn(environment) === null ? null : 'operator'),
  checks: () => import('./log-in/checks.ts'),
  async open(core) {
    const who = whoIn(core.environment);
    return who === null ? {} : (await import('./server.ts')).openDesk(core, who);
  },
} satisfies Feature;
