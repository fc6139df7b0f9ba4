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

const untilOnline = () =>
  new Promise<unknown>((resolve) => addEventListener('online', resolve, { once: true }));

/**
 * Loads what a page needs later: code or messages. Without a network nothing is left: what the page shows stays, and the
 * rest comes with the network.
 * @param name a developer's name for it
 * @param load may be called again
 * @param address the server's page with the same content: loaded once as a whole document when this fails. Null while
 *   that page is being taken over; then this never ends
 * @throws RouteModuleError when the document was loaded already
 */
export async function loadLate<T>(name: string, load: () => Promise<T>, address: string | null): Promise<T> {
  try {
    return await withinLimit(name, load());
  } catch (error) {
    if (!navigator.onLine) {
      await untilOnline();
      return loadLate(name, load, address);
    }
    console.error(error);
    // The document is being replaced, or stays as it is.
    if (address === null || loadWhole(address)) return new Promise(() => {});
    throw error;
  }
}

/**
 * Whether the document was reloaded, by the visitor or a script, rather than opened by an address or a link.
 */
export const isReloaded = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => (entry as PerformanceNavigationTiming).type === 'reload');
