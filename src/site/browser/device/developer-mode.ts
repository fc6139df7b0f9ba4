import { readStored, writeStored } from './device-storage.ts';

const storageName = 'developer-mode';

/** Whether the visitor looks at the site as its developer: `#dev=1` in the address says so from then on, `#dev=0` no more. */
export function isDeveloperMode(): boolean {
  const [, said] = /\bdev=([01])$/.exec(location.hash) ?? [];
  if (said !== undefined) writeStored(storageName, said === '1' ? said : null);
  return (said ?? readStored(storageName)) === '1';
}
