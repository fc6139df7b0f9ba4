import type { Check } from '../../server/commands/checks.ts';

/** Whether the keys of notifications belong together. */
const push: Check = {
  name: 'push',
  async run({ environment }) {
    if (environment.VAPID_PUBLIC_KEY === undefined || environment.VAPID_PRIVATE_KEY === undefined) return [];
    const { openPushSending } = await import('./server.ts');
    const sending = await openPushSending(environment);
    await sending?.close();
    return [{ level: 'ok', what: 'the keys of notifications belong together' }];
  },
};

export default [push];
