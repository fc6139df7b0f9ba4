/** How long a page's code may take. */
const limitMs = 120_000;

/** The code of a page did not come: it is not there (any more), or the connection is too slow or gone. */
export class RouteModuleError extends Error {
  readonly type: 'missing' | 'timeout';

  constructor(chunk: string, type: 'missing' | 'timeout', options?: ErrorOptions) {
    super(`Loading chunk ${chunk} failed`, options);
    this.name = 'RouteModuleError';
    this.type = type;
  }
}

/** The name of a build file without its folder, hash and ending: what a developer knows the chunk by. */
const chunkOf = (file: string) => file.replace(/^.*\//, '').replace(/\.js$/, '');

/**
 * Waits for code that is on its way.
 * @param chunk what a developer knows it by
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

interface NavigatingRouter {
  readonly state: {
    readonly navigation: {
      readonly location?: { readonly pathname: string; readonly search: string; readonly hash: string };
    };
  };
}

/** Where the visitor is on the way to; null when the page stays. */
function destination(): string | null {
  const router = (globalThis as { __reactRouterDataRouter?: NavigatingRouter }).__reactRouterDataRouter;
  const location = router?.state.navigation.location;
  return location === undefined ? null : location.pathname + location.search + location.hash;
}

const loadedWholeName = 'loaded-whole';

/**
 * Loads a page as a whole document, once: the code is usually missing because a new version of the site has taken the
 * place of the one that this document came with.
 * @returns false when that has been tried for this page in this tab
 */
export function loadWhole(target: string): boolean {
  try {
    if (sessionStorage.getItem(loadedWholeName) === target) return false;
    sessionStorage.setItem(loadedWholeName, target);
  } catch (thrown) {
    // Without storage nothing could stop a loop.
    if (thrown instanceof DOMException) return false;
    throw thrown;
  }
  location.assign(target);
  return true;
}

/** The router shows an empty page for code that it could not have; only what a page throws reaches the error screen. */
function brokenPage(error: unknown) {
  return {
    default() {
      throw error;
    },
  };
}

interface RouteEntry {
  readonly id: string;
  /** Address of the built module. */
  readonly module: string;
}

/**
 * Loads the code of a page. The build puts it in the place of the router's own (see `vite.config.ts`), which has no
 * time limit, and after a failure reloads the page that the visitor was about to leave.
 * @returns a module whose page throws the RouteModuleError, when it cannot be loaded as a whole document either
 */
export async function loadRouteModule(route: RouteEntry, loaded: Record<string, unknown>): Promise<unknown> {
  if (route.id in loaded) return loaded[route.id];
  try {
    const module = await withinLimit(chunkOf(route.module), import(/* @vite-ignore */ route.module));
    loaded[route.id] = module;
    return module;
  } catch (error) {
    const target = destination();
    // It was only fetched beforehand, for a link in view: nobody misses it, and whoever follows the link tries again.
    if (target === null) return brokenPage(error);
    console.error(error);
    // The document is on its way out: nothing may be shown for what did not come.
    return loadWhole(target) ? new Promise(() => {}) : brokenPage(error);
  }
}
