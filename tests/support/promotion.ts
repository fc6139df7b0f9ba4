import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { runCli } from './cli.ts';
import { type Journey, startJourney } from './journey.ts';
import { makeDataFolder, type RunningProduct, startProduct } from './product.ts';
import { siteFile } from './site-file.ts';

/** Removes the repository's own promotion. */
export const nothingOfOurs = { share_config: undefined, recommend_right_ad: undefined };

/** Starts the product with promotions. @param fields of the site configuration */
export const startPromoting = (fields: Readonly<Record<string, unknown>>): Promise<RunningProduct> =>
  startProduct({ env: { SITE_CONFIG: siteFile({ consent: 'off', ...nothingOfOurs, ...fields }) } });

let pictured: Promise<string> | undefined;

/** A data folder that has the pictures of the demo's site, which are made once for all files of a worker. */
async function demoFolder(): Promise<string> {
  pictured ??= makePictures();
  const dataFolder = mkdtempSync(join(tmpdir(), 'clipferry-data-'));
  cpSync(await pictured, dataFolder, { recursive: true });
  process.once('exit', () => rmSync(dataFolder, { recursive: true, force: true }));
  return dataFolder;
}

async function makePictures(): Promise<string> {
  const dataFolder = makeDataFolder();
  process.once('exit', () => rmSync(dataFolder, { recursive: true, force: true }));
  const { code, errors } = await runCli(['site', 'pictures'], {
    DATA_DIR: dataFolder,
    SITE_CONFIG: demoSite,
  });
  if (code !== 0) throw new Error(`The demo's pictures could not be made: ${errors}`);
  return dataFolder;
}

const demoSite = 'site.demo.json';

/** Starts a journey on the demo's site, which promotes something of every kind. */
export const startDemo = async (): Promise<Journey> =>
  startJourney({ dataFolder: await demoFolder(), env: { SITE_CONFIG: demoSite } });

/** Starts the demo's site with additional fields. @param fields of the site configuration; @param env of the machine */
export async function startDemoWith(
  fields: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>>,
): Promise<RunningProduct> {
  const demo = JSON.parse(readFileSync(demoSite, 'utf8')) as Record<string, unknown>;
  const SITE_CONFIG = siteFile({ ...demo, ...fields });
  return startProduct({ dataFolder: await demoFolder(), env: { SITE_CONFIG, ...env } });
}

/** Starts a journey on a site with only the demo's ads. */
export async function startWithAds(): Promise<Journey> {
  const { ad_info, ad_mobile_info, recommend_info, recommend_domains } = JSON.parse(
    readFileSync(demoSite, 'utf8'),
  ) as Record<string, unknown>;
  const ads = { ad_info, ad_mobile_info, recommend_info, recommend_domains };
  const SITE_CONFIG = siteFile({ ...nothingOfOurs, ...ads });
  return startJourney({ dataFolder: await demoFolder(), env: { SITE_CONFIG } });
}

/** Opens a page, and waits until the code that triggers promotion is loaded and running. */
export async function openDeciding(page: Page, path: string): Promise<void> {
  const answered = page.waitForResponse(/\/mount-[^/]*\.js$/);
  await page.goto(path);
  await page.evaluate(`import(${JSON.stringify((await answered).url())})`);
  // React needs a few event loop iterations, for which its scheduler sends itself messages.
  await page.evaluate(async () => {
    const { port1, port2 } = new MessageChannel();
    for (let turn = 0; turn < 20; turn++)
      await new Promise((resolve) => {
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
  });
}
