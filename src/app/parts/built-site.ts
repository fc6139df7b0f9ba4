import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuiltSite, SiteShell } from '../../server/instance/parts.ts';

function readShell(assets: readonly string[], folder: string): SiteShell {
  const script = (name: string) => readFileSync(join(folder, `${name}.js`), 'utf8');
  const ofFeatures = globSync('*.js', { cwd: join(folder, 'features') }).map((file) => basename(file, '.js'));
  return {
    version: hash('sha256', assets.join()).slice(0, 12),
    assets,
    scripts: {
      site: script('site'),
      withdrawn: script('withdrawn'),
      offlinePage: script('offline-page'),
      ofFeatures: Object.fromEntries(ofFeatures.map((name) => [name, script(`features/${name}`)])),
    },
  };
}

/** Loads the production build of the pages. @throws Error when it does not exist */
export async function loadBuiltSite(): Promise<BuiltSite> {
  const folder = 'build';
  const file = resolve(folder, 'server/index.js');
  if (!existsSync(file)) throw new Error(`${file} is missing: run "npm run build" first`);
  // Imported here because React picks its production half by NODE_ENV when it is loaded.
  const { handle, renderDesk, pageFiles } = (await import(
    pathToFileURL(file).href
  )) as typeof import('../site.ts');
  return {
    handle,
    renderDesk,
    version: String(Math.floor(statSync(file).mtimeMs)),
    files: resolve(folder, 'client'),
    shell: readShell(pageFiles(), resolve(folder, 'service-workers')),
  };
}
