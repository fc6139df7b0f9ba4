import { readFileSync } from 'node:fs';

const styles = readFileSync(new URL('../../site/ui/tokens.css', import.meta.url), 'utf8');

/** The groups of a pattern in the value of a custom property. @throws Error when it does not match */
function find(name: string, pattern: string): string[] {
  const [, ...found] = new RegExp(`--${name}: ${pattern}`).exec(styles) ?? [];
  if (found.length === 0) throw new Error(`tokens.css has no such colour --${name}`);
  return found;
}

/**
 * A colour of the site's light theme, for use outside CSS.
 * @param name of the custom property in `tokens.css`, without its dashes
 * @returns `#` and six hexadecimal digits
 * @throws Error when there is no such colour
 */
export function colour(name: string): string {
  const [value = ''] = find(name, '(?:light-dark\\()?(#[0-9a-f]{6})');
  return value;
}

/**
 * The two colours of a gradient, from start to end; otherwise like `colour`.
 * @throws Error when there is no such gradient
 */
export function gradient(name: string): readonly [from: string, to: string] {
  const [from = '', to = ''] = find(name, 'linear-gradient\\([^,]+, (#[0-9a-f]{6}), (#[0-9a-f]{6})\\)');
  return [from, to];
}
