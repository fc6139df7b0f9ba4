const storageName = 'developer-mode';

/** Whether the visitor looks at the site as its developer: `#dev=1` in the address says so from then on, `#dev=0` no more. */
export function isDeveloperMode(): boolean {
  const [, said] = /\bdev=([01])$/.exec(location.hash) ?? [];
  try {
    if (said === '1') localStorage.setItem(storageName, '1');
    if (said === '0') localStorage.removeItem(storageName);
    return localStorage.getItem(storageName) === '1';
  } catch (thrown) {
    // Storage may be switched off; the mode then lasts as long as the address says it.
    if (!(thrown instanceof DOMException)) throw thrown;
    return said === '1';
  }
}
