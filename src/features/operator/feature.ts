import type { Feature } from '../../server/feature.ts';

/** Without a password nothing of the desk is loaded. */
export default {
  async open(core) {
    const { OPERATOR_PASSWORD: password } = core.environment;
    return password === undefined ? {} : (await import('./server.ts')).openDesk(core, password);
  },
} satisfies Feature;
