import { Failure } from '../failures.ts';
import type { PostReference, ShortLink } from '../posts/post.ts';
import { addressesIn, type FoundAddress } from './addresses.ts';
import type { LinkKind, LinkTable } from './link-table.ts';
import { tiktokLinks } from './tiktok.ts';

const tables: readonly LinkTable[] = [tiktokLinks];

/**
 * Finds the post a text speaks of: an address as copied, with or without a scheme, alone or inside prose. The first
 * address that names a post wins. Nothing of the text but the id or the code is ever used further.
 *
 * Pure and without dependencies: the pages use it while the visitor types.
 *
 * @param text anything; the first 4,000 characters are looked at
 * @throws Failure `link_missing` when there is no address, else the most telling of the `link_…` failures
 */
export function recogniseLink(text: string): PostReference | ShortLink {
  let failure: LinkKind = 'link_missing';
  for (const address of addressesIn(text, isKnownHost)) {
    const found = address === null ? 'link_invalid' : readAddress(address);
    if (typeof found !== 'string') return found;
    if (failure === 'link_missing' || failure === 'link_invalid') failure = found;
  }
  throw new Failure(failure);
}

/** Whether a value from outside (a ticket, a stored job) is a post's reference. */
export function isPostReference(value: unknown): value is PostReference {
  if (typeof value !== 'object' || value === null) return false;
  const { platform, id } = value as Partial<Record<string, unknown>>;
  const table = tables.find((one) => one.platform === platform);
  return table !== undefined && typeof id === 'string' && table.id.test(id);
}

function isKnownHost(host: string): boolean {
  return tables.some((table) => table.hosts.some((one) => one.name.test(host)));
}

function readAddress(address: FoundAddress): PostReference | ShortLink | LinkKind {
  for (const table of tables) {
    const host = table.hosts.find((one) => one.name.test(address.host));
    if (host !== undefined) {
      return host.use === 'posts' || host.use === 'codes' ? readPath(address, host.use, table) : host.use;
    }
  }
  return 'link_invalid';
}

function readPath(
  address: FoundAddress,
  use: 'posts' | 'codes',
  table: LinkTable,
): PostReference | ShortLink | LinkKind {
  const { platform } = table;
  const segments = address.path.split('/').filter((segment) => segment !== '');
  for (const form of table.posts) {
    const match = matchPath(form.path, segments, table);
    if (match === null) continue;
    const id = form.query === undefined ? match.id : parameter(address.query, form.query);
    if (id !== undefined && table.id.test(id)) return { platform, id };
  }
  for (const form of table.codes[use]) {
    const code = matchPath(form, segments, table)?.code;
    if (code !== undefined) return { platform, code };
  }
  return table.others.find((form) => matchPath(form.path, segments, table) !== null)?.kind ?? 'link_invalid';
}

const placeholder = /^(.*?)\{(id|code|handle)\}(.*)$/;

/** Null when the segments are not of that form, else the values of its placeholders. */
function matchPath(
  form: string,
  segments: readonly string[],
  table: LinkTable,
): { id?: string; code?: string } | null {
  const pieces = form.split('/');
  const open = pieces.at(-1) === '**';
  if (open) pieces.pop();
  if (open ? segments.length < pieces.length : segments.length !== pieces.length) return null;
  const values: { id?: string; code?: string; handle?: string } = {};
  for (const [index, piece] of pieces.entries()) {
    const segment = segments[index] ?? '';
    const parts = placeholder.exec(piece);
    if (parts === null) {
      if (segment !== piece) return null;
      continue;
    }
    const [, before = '', name = '', after = ''] = parts;
    if (!segment.startsWith(before) || !segment.endsWith(after)) return null;
    const value = segment.slice(before.length, segment.length - after.length);
    if (!table[name as 'id' | 'code' | 'handle'].test(value)) return null;
    values[name as 'id' | 'code' | 'handle'] = value;
  }
  return values;
}

function parameter(query: string, name: string): string | undefined {
  return query
    .split('&')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}
