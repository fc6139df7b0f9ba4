/** What our build does beyond React Router's and Vite's own. */
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const inBrowser = ({ name }: { readonly name: string }) => name === 'client';

/** Puts our loading of a page's code in the place of the router's: see `src/site/browser/route-modules.ts`. */
export function ownRouteModuleLoader(): Plugin {
  return {
    name: 'own-route-module-loader',
    enforce: 'pre',
    applyToEnvironment: inBrowser,
    resolveId(source, importer) {
      const isRouters = source.endsWith('/routeModules.js') && importer?.includes('/react-router/dist/');
      return isRouters === true ? resolve('src/site/browser/route-modules.ts') : undefined;
    },
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
