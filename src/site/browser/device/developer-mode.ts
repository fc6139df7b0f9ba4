const storageName = 'developer-mode';

/** Whether developer mode is on: `#dev=1` in the address switches it on, `#dev=0` off. */
export function isDeveloperMode(): boolean {
  const [, said] = /\bdev=([01])$/.exec(location.hash) ?? [];
  try {
    if (said === '1') localStorage.setItem(storageName, '1');
    if (said === '0') localStorage.removeItem(storageName);
    return localStorage.getItem(storageName) === '1';
  } catch (thrown) {
    // Without storage the mode lasts while the address asks for it.
    if (!(thrown instanceof DOMException)) throw thrown;
    return said === '1';
  }
}
