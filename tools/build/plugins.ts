/** What our build does beyond React Router's and Vite's own. */
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const inBrowser = ({ name }: { readonly name: string }) => name === 'client';

/** Puts our loading of a page's code in the place of the router's: see `src/web/browser/route-modules.ts`. */
export function ownRouteModuleLoader(): Plugin {
  return {
    name: 'own-route-module-loader',
    enforce: 'pre',
    applyToEnvironment: inBrowser,
    resolveId(source, importer) {
      const isRouters = source.endsWith('/routeModules.js') && importer?.includes('/react-router/dist/');
      return isRouters === true ? resolve('src/web/browser/route-modules.ts') : undefined;
    },
  };
}

/**
 * Parts of the router that this site does not use, as what they come to then. `nothing` is for files of the router that
 * are not in the build either.
 */
const unusedParts: Readonly<Record<string, string>> = {
  // Watching what the router does: nobody asks it to.
  'router/instrumentation.js': `
    export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
    export const getRouteInstrumentationUpdates = () => ({});
    export const instrumentClientSideRouter = (router) => router;
    export { nothing as instrumentHandler, nothing as instrumentationResultMetaContext };`,
  // Asking for routes when they come into view: the table of all is sent (`routeDiscovery` in react-router.config.ts).
  'dom/ssr/fog-of-war.js': `
    export const isFogOfWarEnabled = () => false;
    export const getPatchRoutesOnNavigationFunction = () => undefined;
    export const getPartialManifest = () => undefined;
    export const useFogOFWarDiscovery = () => {};
    export { nothing as getManifestPath, nothing as getPathsWithAncestors, nothing as handleClientVersionMismatch };`,
};

/**
 * Leaves out parts of the router: 2 kB of every first visit. One that the router needs after all, in a later version,
 * ends the build with the name of what is missing.
 */
export function withoutUnusedParts(): Plugin {
  return {
    name: 'without-unused-parts',
    enforce: 'pre',
    applyToEnvironment: inBrowser,
    load(id) {
      const [, part = ''] = /\/react-router\/dist\/(?:production|development)\/lib\/(.*)$/.exec(id) ?? [];
      const code = unusedParts[part];
      return code === undefined ? code : `const nothing = undefined;${code}`;
    },
  };
}

/**
 * Leaves a later import to the browser: Vite's helper around it looks for style sheets and files to fetch beforehand,
 * and there are none.
 */
export function plainLaterImports(): Plugin {
  return {
    name: 'plain-later-imports',
    enforce: 'pre',
    applyToEnvironment: inBrowser,
    load(id) {
      return id.endsWith('vite/preload-helper.js')
        ? 'export const __vitePreload = (load) => load();'
        : undefined;
    },
  };
}

/**
 * Lets the file with a route's module export more than the route's own names. Otherwise a module that others share gets a
 * second file, which only exports it again: for `root` one more request before every page's scripts run.
 */
export function entriesMayExportMore(): Plugin {
  return {
    name: 'entries-may-export-more',
    applyToEnvironment: inBrowser,
    options: (options) => ({ ...options, preserveEntrySignatures: 'allow-extension' }),
  };
}

const namesIn = (list: string) =>
  list.split(',').map((name) => {
    const [from = '', to = from] = name.trim().split(' as ');
    return { from, to };
  });

/**
 * Puts the bundler's runtime, some hundred bytes without state, into each chunk that needs it: as a file of its own it
 * would be one more request before a page's scripts run.
 */
export function inlineRuntime(): Plugin {
  return {
    name: 'inline-runtime',
    applyToEnvironment: inBrowser,
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const runtime = chunks.find(({ name }) => name === 'rolldown-runtime');
      if (runtime === undefined) return;
      const [, body, exported] = /^(.*?)export\{([^}]*)\};?\s*$/s.exec(runtime.code) ?? [];
      if (body === undefined || exported === undefined) throw new Error('The runtime has another form.');
      const members = namesIn(exported).map(({ from, to }) => `${to}:${from}`);
      const file = runtime.fileName.replace(/^.*\//, '').replaceAll('.', '\\.');
      const imported = new RegExp(`import\\{([^}]*)\\}from"\\./${file}";`);
      for (const chunk of chunks) {
        chunk.code = chunk.code.replace(imported, (_match, list: string) => {
          const wanted = namesIn(list).map(({ from, to }) => `${from}:${to}`);
          return `const{${wanted}}=(()=>{${body}return{${members}}})();`;
        });
        chunk.imports = chunk.imports.filter((name) => name !== runtime.fileName);
      }
      delete bundle[runtime.fileName];
    },
  };
}
