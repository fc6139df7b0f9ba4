import { type ComponentType, use } from 'react';
import { useMounted } from '../mounted.ts';
import { loadLate } from './route-modules.ts';

const presentAddress = () => location.pathname + location.search + location.hash;

/**
 * A part of a page whose code is loaded separately.
 * @param name a developer's name for the code
 * @param load imports it
 * @param loaded the component on the server, which renders in one pass; null in the browser
 * @param isDispensable whether the page is good without it: it stays when the document was loaded for it already
 */
export function lazyPart<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
  loaded: ComponentType<Props> | null,
  isDispensable = false,
) {
  let component = loaded;
  let loading: Promise<ComponentType<Props>> | undefined;
  let needed: { readonly address: string | null; readonly code: Promise<ComponentType<Props>> } | undefined;

  async function begin(): Promise<ComponentType<Props>> {
    try {
      component = await load();
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
   * Loads the code, as {@link loadLate}: the same promise for as long as the address is the same, since React asks again
   * whenever it renders.
   */
  function fetch(address: string | null): Promise<ComponentType<Props>> {
    if (needed?.address !== address) {
      const code = loadLate(name, start, address);
      needed = { address, code: isDispensable ? code.catch(() => new Promise(() => {})) : code };
    }
    return needed.code;
  }

  return {
    /** The component. If its code is not loaded yet, it suspends. */
    Part(props: Props) {
      const isMounted = useMounted();
      // What the server rendered stays as it came.
      const Loaded = component ?? use(fetch(isMounted ? presentAddress() : null));
      return <Loaded {...props} />;
    },
    isLoaded: () => component !== null,
    /** Loads the code early. A failure is reported only when the part is needed. */
    preload() {
      start().catch(() => {});
    },
    fetch,
  };
}
