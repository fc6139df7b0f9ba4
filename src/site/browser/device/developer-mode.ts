import { readStored, writeStored } from './device-storage.ts';

const storageName = 'developer-mode';

/** Whether developer mode is on: `#dev=1` in the address switches it on, `#dev=0` off. */
export function isDeveloperMode(): boolean {
  const [, said] = /\bdev=([01])$/.exec(location.hash) ?? [];
  if (said !== undefined) writeStored(storageName, said === '1' ? said : null);
  return (said ?? readStored(storageName)) === '1';
}
