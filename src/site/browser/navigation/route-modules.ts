/** Time limit for loading a page's code. */
export const limitMs = 120_000;

/** The code of a page could not be loaded: it does not exist (any more), or the connection is slow or lost. */
export class RouteModuleError extends Error {
  readonly type: 'missing' | 'timeout';

  constructor(chunk: string, type: 'missing' | 'timeout', options?: ErrorOptions) {
    super(`Loading chunk ${chunk} failed`, options);
    this.name = 'RouteModuleError';
    this.type = type;
  }
}

/**
 * Waits for code that is being loaded.
 * @param chunk a developer's name for it
 * @throws RouteModuleError
 */
export async function withinLimit<T>(chunk: string, code: Promise<T>): Promise<T> {
  let limit: ReturnType<typeof setTimeout> | undefined;
  try {
    return await Promise.race([
      code,
      new Promise<never>((_, reject) => {
        limit = setTimeout(() => reject(new RouteModuleError(chunk, 'timeout')), limitMs);
      }),
    ]);
  } catch (cause) {
    if (cause instanceof RouteModuleError) throw cause;
    throw new RouteModuleError(chunk, 'missing', { cause });
  } finally {
    clearTimeout(limit);
  }
}

/** Uses the tab's storage. @returns null where the visitor forbids it */
export function withTabStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage);
  } catch (thrown) {
    if (thrown instanceof DOMException) return null;
    throw thrown;
  }
}

const loadedWholeName = 'loaded-whole';

/**
 * Loads a page as a whole document, once: code is usually missing because a new version of the site has replaced this
 * document's.
 * @returns false when that was tried for this page in this tab, and without storage: a loop could not be stopped
 */
export function loadWhole(target: string): boolean {
  const isFirst = withTabStorage((storage) => {
    if (storage.getItem(loadedWholeName) === target) return false;
    storage.setItem(loadedWholeName, target);
    return true;
  });
  if (isFirst !== true) return false;
  location.assign(target);
  return true;
}
