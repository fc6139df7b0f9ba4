import type { Check } from '../../server/commands/checks.ts';
import { pushVariables } from './configuration.ts';

/** Whether the keys of notifications belong together. */
const push: Check = {
  name: 'push',
  todo: 'set both keys of one run of "push keys"',
  async run({ environment }) {
    const { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY } = pushVariables.read(environment);
    if (VAPID_PUBLIC_KEY === undefined || VAPID_PRIVATE_KEY === undefined) return [];
    const { openPushSending } = await import('./server.ts');
    const sending = await openPushSending(environment);
    await sending?.close();
    return [{ level: 'ok', what: 'the keys of notifications belong together' }];
  },
};

export default [push];
