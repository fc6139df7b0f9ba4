/** Name of the folder in the origin's private file system. */
const scratchName = 'made-videos';

/** Name of the lock of a folder that is in use: browsers end it with its page. */
const lockOf = (name: string) => `${scratchName}/${name}`;

/** Names a folder that no page removes before this one does. */
export async function keepFolder() {
  const name = crypto.randomUUID();
  const [taken, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = navigator.locks.request(lockOf(name), () => {
    taken.resolve();
    return over.promise;
  });
  await taken.promise;
  return {
    name,
    /** Removes it, and what closed pages left. */
    remove(): void {
      over.resolve();
      held.then(removeLeft).catch(console.debug);
    },
  };
}

/** A folder of the origin's private file system; null where there is none. */
export async function scratchFolder(
  name: string,
  create: boolean,
): Promise<FileSystemDirectoryHandle | null> {
  try {
    const root = await navigator.storage.getDirectory();
    const all = await root.getDirectoryHandle(scratchName, { create });
    return name === '' ? all : await all.getDirectoryHandle(name, { create });
  } catch (thrown) {
    // Private windows, pages without TLS, old browsers: for developers.
    console.debug('no private files', thrown);
    return null;
  }
}

/** Removes the folders of pages that are closed. */
export async function removeLeft(): Promise<void> {
  const all = await scratchFolder('', false);
  if (all === null) return;
  const { held = [] } = await navigator.locks.query();
  const kept = new Set(held.map(({ name }) => name));
  for await (const name of all.keys())
    if (!kept.has(lockOf(name))) await all.removeEntry(name, { recursive: true });
}
