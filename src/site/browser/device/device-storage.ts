function tryStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(window.localStorage);
  } catch (thrown) {
    // Full, or forbidden by the visitor's settings.
    if (!(thrown instanceof DOMException)) throw thrown;
    return null;
  }
}

/** The text that this device has under a name; null for none, and where storage is forbidden. */
export const readStored = (name: string): string | null => tryStorage((storage) => storage.getItem(name));

/** Stores a text on this device, or removes it (null); not where storage is full or forbidden. */
export function writeStored(name: string, text: string | null): void {
  tryStorage((storage) => (text === null ? storage.removeItem(name) : storage.setItem(name, text)));
}
