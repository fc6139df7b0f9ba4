import { type ComponentType, use } from 'react';
import { useMounted } from '../mounted.ts';
import { loadWhole, withinLimit } from './route-modules.ts';

/** A part of a page whose code does not come with the page. */
export interface LaterPart<Props> {
  /** The part itself. Where its code is not there yet, the page that shows it waits for it. */
  readonly Part: ComponentType<Props>;
  isThere(): boolean;
  /** Fetches the code beforehand. Nobody waits for it: that it cannot be had is told to who needs it. */
  fetchEarly(): void;
  /**
   * Fetches the code.
   * @param address where the server shows the same: loaded as a whole document when the code cannot be had, once
   * @throws RouteModuleError when that has been tried
   */
  fetch(address: string): Promise<unknown>;
}

const presentAddress = () => location.pathname + location.search + location.hash;

/**
 * @param name what a developer knows the code by
 * @param load imports it
 * @param loaded it; null in the browser. The server, which writes a page in one go, has it beforehand
 */
export function laterPart<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
  loaded: ComponentType<Props> | null,
): LaterPart<Props> {
  let component = loaded;
  let loading: Promise<ComponentType<Props>> | undefined;
  let needed: Promise<ComponentType<Props>> | undefined;

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

  /** @param address null where the server's page is being taken over: without the code, it stays as it came */
  async function startOrLeave(address: string | null): Promise<ComponentType<Props>> {
    try {
      return await start();
    } catch (error) {
      console.error(error);
      // Otherwise the document is on its way out: nothing may be shown for what did not come.
      if (address === null || loadWhole(address)) return new Promise(() => {});
      throw error;
    }
  }

  function fetch(address: string | null): Promise<ComponentType<Props>> {
    needed ??= startOrLeave(address);
    return needed;
  }

  return {
    Part(props) {
      const isMounted = useMounted();
      const Loaded = component ?? use(fetch(isMounted ? presentAddress() : null));
      return <Loaded {...props} />;
    },
    isThere: () => component !== null,
    fetchEarly() {
      // Whoever needs it tries again, and is told.
      start().catch(() => {});
    },
    fetch,
  };
}
