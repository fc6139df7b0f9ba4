/** Name of the folder in the origin's private file system. */
const scratchName = 'made-videos';

/** Nobody makes a video for so long: what is older was left by a page that was closed. In ms. */
const maxAgeMs = 3 * 60 * 60 * 1000;

/** A folder's name, with the time it was made. */
export const newFolder = (now: number): string => `${now}-${Math.floor(Math.random() * 1e9)}`;

/** A folder of the origin's private file system; null where the browser has none. */
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

/** Removes a folder, and those that were left. */
export async function removeFolder(name: string, now: number): Promise<void> {
  const all = await scratchFolder('', false);
  if (all === null) return;
  const isLeft = (one: string) => !(now - Number.parseInt(one, 10) < maxAgeMs);
  for await (const one of all.keys())
    if (one === name || isLeft(one)) await all.removeEntry(one, { recursive: true });
}
