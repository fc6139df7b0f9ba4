import { readFileSync } from 'node:fs';

const styles = readFileSync(new URL('../../site/ui/tokens.css', import.meta.url), 'utf8');

/**
 * A colour of the site's own, as it is in the light theme.
 * @param name of the custom property in `tokens.css`, without its dashes
 * @throws Error when there is no such colour
 */
export function colour(name: string): string {
  const [, value = ''] = new RegExp(`--${name}: (?:light-dark\\()?(#[0-9a-f]{6})`).exec(styles) ?? [];
  if (value === '') throw new Error(`tokens.css has no colour --${name}`);
  return value;
}
