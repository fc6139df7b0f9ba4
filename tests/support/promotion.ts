import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from './cli.ts';
import { type Journey, startJourney } from './journey.ts';
import { type RunningProduct, startProduct } from './product.ts';
import { siteFile } from './site-file.ts';

/** What the repository's site promotes of its own accord, taken away. */
export const nothingOfOurs = { share_config: undefined, recommend_right_ad: undefined };

/** Starts the product with something to promote. @param fields of the site configuration */
export const startPromoting = (fields: Readonly<Record<string, unknown>>): Promise<RunningProduct> =>
  startProduct({ env: { SITE_CONFIG: siteFile({ consent: 'off', ...nothingOfOurs, ...fields }) } });

/** Starts a journey on a site with the demo's ads and nothing else, their pictures made. */
export async function startDemo(): Promise<Journey> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'clipferry-demo-'));
  process.once('exit', () => rmSync(dataFolder, { recursive: true, force: true }));
  const SITE_CONFIG = 'site.demo.json';
  const { code, errors } = await runCli(['site', 'pictures'], { DATA_DIR: dataFolder, SITE_CONFIG });
  if (code !== 0) throw new Error(`The demo's pictures could not be made: ${errors}`);
  const { ad_info, ad_mobile_info, recommend_info, recommend_domains } = JSON.parse(
    readFileSync(SITE_CONFIG, 'utf8'),
  ) as Record<string, unknown>;
  const ads = { ad_info, ad_mobile_info, recommend_info, recommend_domains };
  return startJourney({ dataFolder, env: { SITE_CONFIG: siteFile({ ...nothingOfOurs, ...ads }) } });
}
