import { type ComponentType, use } from 'react';
import { useMounted } from '../mounted.ts';
import { loadWhole, withinLimit } from './route-modules.ts';

/** A part of a page whose code is loaded separately. */
export interface LazyPart<Props> {
  /** The component. If its code is not loaded yet, it suspends. */
  readonly Part: ComponentType<Props>;
  isLoaded(): boolean;
  /** Loads the code early. A failure is reported only when the part is needed. */
  preload(): void;
  /**
   * Loads the code.
   * @param address the server's page with the same content: loaded once as a whole document when the code cannot be
   *   loaded
   * @throws RouteModuleError when that was tried already
   */
  fetch(address: string): Promise<unknown>;
}

const presentAddress = () => location.pathname + location.search + location.hash;

const untilOnline = () =>
  new Promise<unknown>((resolve) => addEventListener('online', resolve, { once: true }));

/**
 * @param name a developer's name for the code
 * @param load imports it
 * @param loaded the component on the server, which renders in one pass; null in the browser
 */
export function lazyPart<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
  loaded: ComponentType<Props> | null,
): LazyPart<Props> {
  let component = loaded;
  let loading: Promise<ComponentType<Props>> | undefined;
  let needed: { readonly address: string | null; readonly code: Promise<ComponentType<Props>> } | undefined;

  async function begin(): Promise<ComponentType<Props>> {
    try {
      component = await withinLimit(name, load());
      return component;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  }

  function start(): Promise<ComponentType<Props>> {
    loading ??= begin();
    return loading;
  }

  /**
   * Without a network nothing is left: what the page shows stays, and the code comes with the network.
   * @param address null where the server's page is being taken over: without the code, it stays as it came
   */
  async function startOrLeave(address: string | null): Promise<ComponentType<Props>> {
    try {
      return await start();
    } catch (error) {
      if (!navigator.onLine) {
        await untilOnline();
        return startOrLeave(address);
      }
      console.error(error);
      // The document is being replaced: suspend, and show nothing for the missing code.
      if (address === null || loadWhole(address)) return new Promise(() => {});
      throw error;
    }
  }

  /** The same promise for as long as the address is the same: React asks again whenever it renders. */
  function fetch(address: string | null): Promise<ComponentType<Props>> {
    if (needed?.address !== address) needed = { address, code: startOrLeave(address) };
    return needed.code;
  }

  return {
    Part(props) {
      const isMounted = useMounted();
      const Loaded = component ?? use(fetch(isMounted ? presentAddress() : null));
      return <Loaded {...props} />;
    },
    isLoaded: () => component !== null,
    preload() {
      // The next use retries and reports the error.
      start().catch(() => {});
    },
    fetch,
  };
}
