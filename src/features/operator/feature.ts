import { defineVariables, secret } from '../../process/variables.ts';
import type { Feature } from '../../server/feature.ts';

const variables = defineVariables({
  OPERATOR_PASSWORD: secret(12).max(200, 'must have at most 200 characters').optional(),
});

/** Without a password nothing of the desk is loaded. */
export default {
  variables,
  audience: ({ environment }) =>
    variables.read(environment).OPERATOR_PASSWORD === undefined ? null : 'operator',
  async open(core) {
    const { OPERATOR_PASSWORD: password } = variables.read(core.environment);
    return password === undefined ? {} : (await import('./server.ts')).openDesk(core, password);
  },
} satisfies Feature;
