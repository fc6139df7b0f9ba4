import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFile, startProduct } from './product.ts';

/**
 * Starts the product once before all journeys: a site with an empty database begins by importing all articles, and
 * otherwise each journey would wait for that. Tests of the first start have a data folder of their own.
 */
export default async function firstStart(): Promise<() => void> {
  // Every project of journeys calls it, and one run is enough for all.
  if (process.env.FIRST_DATABASE !== undefined) return () => {};
  const dataFolder = mkdtempSync(join(tmpdir(), 'clipferry-first-'));
  const product = await startProduct({ dataFolder });
  await product.stop();
  process.env.FIRST_DATABASE = join(dataFolder, databaseFile);
  return () => {
    delete process.env.FIRST_DATABASE;
    rmSync(dataFolder, { recursive: true, force: true });
  };
}
