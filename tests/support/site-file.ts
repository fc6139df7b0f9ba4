import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Two experiments with two variants, which the repository's site does not have. */
export const twoExperiments = {
  experiments: ['sidebarAB', 'resourceBannerAB'].map((name) => ({ name, variants: { a: 1, b: 1 } })),
};

/** A site configuration file like the repository's, with some of its entries replaced. @returns its path */
export function siteFile(changes: Readonly<Record<string, unknown>>): string {
  const usual = JSON.parse(readFileSync('site.config.json', 'utf8')) as Record<string, unknown>;
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-site-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'site.config.json');
  writeFileSync(file, JSON.stringify({ ...usual, ...changes }));
  return file;
}
