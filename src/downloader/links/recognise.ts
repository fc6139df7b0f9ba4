import { Failure, type HintKey } from '../../failures/failures.ts';
import type { ListReference, PostReference, ShortLink } from '../post/post.ts';
import { addressesIn, type FoundAddress, searchedLength, visibleText } from './addresses.ts';
import type { LinkKind, LinkTable } from './link-table.ts';
import { decoded, matchPath } from './path-forms.ts';
import { withoutSpacesInAddresses } from './repairs.ts';
import { heldAddresses, isOtherShortLink, withoutAppSchemes } from './wrappers.ts';

/** The address tables of all platforms. */
export type LinkTables = readonly LinkTable[];

/** A link as it was written: the author's name in it is for showing only, and leads nowhere else. */
export type WrittenLink = (PostReference & { readonly handle?: string }) | ShortLink;

export interface RecognisedLinks {
  /** The post that the text speaks of first. */
  readonly link: WrittenLink;
  /** The first link to a different post in the same text; null when there is none. */
  readonly other: WrittenLink | null;
}

interface NoPost {
  readonly kind: LinkKind;
  readonly hint?: HintKey;
}

/**
 * Finds the post that a text names: an address as copied, with or without a scheme, alone or inside prose, embed code,
 * or a bare post number. The first address that names a post wins. Only the id or the code is used further. Pure and
 * without dependencies.
 * @param text anything; the first 4,000 characters are searched
 * @throws Failure `link_missing` when there is no address, else the most informative `link_…` failure
 */
export function recogniseLinks(text: string, tables: LinkTables): RecognisedLinks {
  const { link, other, failure, namesOtherSite } = searchAddresses(text, tables);
  if (link !== null) return { link, other };
  const post = (namesOtherSite ? null : markedPost(text, tables)) ?? postOfSpacedAddress(text, tables);
  if (post !== null) return { link: post, other: null };
  if (failure.kind === 'link_missing')
    return { link: withoutAddress(visibleText(text).trim(), tables), other: null };
  throw new Failure(failure.kind, failure.hint === undefined ? {} : { hint: failure.hint });
}

/** Room for twenty addresses as browsers copy them, and some words around each. */
const listLength = 10_000;

/**
 * All posts that the addresses in a text name, in order, each once. Unlike {@link recogniseLinks} it reads whole
 * addresses only, so that one damaged address does not become two posts.
 * @param text anything; the first 10,000 characters are searched
 * @param most maximum number of posts
 */
export function recogniseAll(text: string, tables: LinkTables, most: number): WrittenLink[] {
  const links: WrittenLink[] = [];
  const plain = withoutAppSchemes(text.slice(0, listLength + 1), appSchemesOf(tables));
  for (const address of addressesIn(plain, knownHosts(tables), listLength)) {
    if (links.length === most) break;
    const found = address === null ? null : readAddress(address, tables);
    if (found === null || 'kind' in found || links.some((link) => isSame(link, found))) continue;
    links.push(found);
  }
  return links;
}

/**
 * The first list of posts that a text names, by its address or as `@handle`; null for a text that names none.
 * @param text anything; the first 4,000 characters are searched
 */
export function recogniseList(text: string, tables: LinkTables): ListReference | null {
  const plain = withoutAppSchemes(text.slice(0, searchedLength + 1), appSchemesOf(tables));
  for (const address of addressesIn(plain, knownHosts(tables))) {
    const list = address === null || address.brokenOff ? null : listAt(address, tables);
    if (list !== null) return list;
  }
  const mentioned = visibleText(text).trim();
  const table = tables.find(({ mention }) => mention.test(mentioned));
  return table === undefined ? null : { platform: table.platform, kind: 'creator', name: mentioned.slice(1) };
}

function listAt({ host, path }: FoundAddress, tables: LinkTables): ListReference | null {
  const table = tables.find(({ hosts }) => hosts.find(({ name }) => name.test(host))?.use === 'posts');
  if (table === undefined) return null;
  const segments = segmentsOf(path, table);
  for (const { path: form, kind, name: pattern } of table.lists) {
    const { handle, rest } = matchPath(form, segments, table) ?? {};
    const name = pattern === undefined ? handle : pattern.exec(decoded(rest ?? ''))?.[1];
    if (name) return { platform: table.platform, kind, name };
  }
  return null;
}

/**
 * The addresses in a text that name no post, without scheme and query.
 * @param text anything; the first 10,000 characters are searched
 * @param most maximum number of addresses
 */
export function addressesWithoutPost(text: string, tables: LinkTables, most: number): string[] {
  const found = new Set<string>();
  const plain = withoutAppSchemes(text.slice(0, listLength + 1), appSchemesOf(tables));
  for (const address of addressesIn(plain, knownHosts(tables), listLength)) {
    if (found.size === most) break;
    if (address !== null && 'kind' in readAddress(address, tables)) found.add(address.host + address.path);
  }
  return [...found];
}

const appSchemesOf = (tables: LinkTables) => tables.flatMap(({ appSchemes }) => appSchemes);

const knownHosts = (tables: LinkTables) => (host: string) =>
  tables.some(({ hosts }) => hosts.some(({ name }) => name.test(host)));

interface FoundLinks {
  readonly link: WrittenLink | null;
  readonly other: WrittenLink | null;
  /** Why there is no link. */
  readonly failure: NoPost;
  /** Whether the text has an address that may be another site's; the script of an embedded post may be anywhere. */
  readonly namesOtherSite: boolean;
}

function searchAddresses(text: string, tables: LinkTables): FoundLinks {
  let failure: NoPost = { kind: 'link_missing' };
  let link: WrittenLink | null = null;
  let namesOtherSite = false;
  const plain = withoutAppSchemes(text.slice(0, searchedLength + 1), appSchemesOf(tables));
  for (const address of addressesIn(plain, knownHosts(tables))) {
    const found: WrittenLink | NoPost =
      address === null ? { kind: 'link_invalid' } : readAddress(address, tables);
    if ('kind' in found) {
      if (failure.kind === 'link_missing' || failure.kind === 'link_invalid') failure = found;
      const mayBeOther = address === null || found.hint === 'other_site' || found.hint === 'short_link';
      if (mayBeOther && !address?.path.endsWith('.js')) namesOtherSite = true;
    } else if (link === null) {
      link = found;
    } else if (!isSame(found, link)) {
      return { link, other: found, failure, namesOtherSite };
    }
  }
  return { link, other: null, failure, namesOtherSite };
}

/** The post that the code of an embedded post names beside its address, which may be missing. */
function markedPost(text: string, tables: LinkTables): PostReference | null {
  const visible = visibleText(text);
  for (const { platform, id, embedMark } of tables) {
    for (const [, marked = ''] of visible.matchAll(embedMark))
      if (id.test(marked)) return { platform, id: marked };
  }
  return null;
}

/**
 * The post of an address with spaces around its punctuation. A post number remains recognisable after words were
 * joined; a short link's code does not, so codes are not read.
 */
function postOfSpacedAddress(text: string, tables: LinkTables): PostReference | null {
  const visible = visibleText(text);
  const closed = withoutSpacesInAddresses(visible);
  if (closed === visible) return null;
  const { link } = searchAddresses(closed, tables);
  return link !== null && 'id' in link ? link : null;
}

/** The link without the author's name, which is for showing only. */
export const withoutHandle = (link: WrittenLink): PostReference | ShortLink =>
  'id' in link ? { platform: link.platform, id: link.id } : link;

/** The post of {@link recogniseLinks}, ignoring the rest of the text. @throws Failure `link_…` */
export function recogniseLink(text: string, tables: LinkTables): PostReference | ShortLink {
  return withoutHandle(recogniseLinks(text, tables).link);
}

/** Whether a value from outside (a ticket, a stored job) is a post's reference. */
export function isPostReference(value: unknown, tables: LinkTables): value is PostReference {
  if (typeof value !== 'object' || value === null) return false;
  const { platform, id } = value as Partial<Record<string, unknown>>;
  const table = tables.find((one) => one.platform === platform);
  return table !== undefined && typeof id === 'string' && table.id.test(id);
}

/**
 * A public address built from the id or the code, and the author's name where the link has one: safe to show and to
 * paste again.
 * @throws Failure for an unknown platform
 */
export function addressOf(link: WrittenLink, tables: LinkTables): string {
  const table = tables.find((one) => one.platform === link.platform);
  if (table === undefined) throw new Failure('link_invalid', { note: `no platform ${link.platform}` });
  return 'id' in link
    ? table.addresses.post(link.id, 'handle' in link ? link.handle : undefined)
    : table.addresses.code(link.code);
}

/** A list's public address. @throws Failure for an unknown platform */
export function addressOfList(list: ListReference, tables: LinkTables): string {
  const table = tables.find((one) => one.platform === list.platform);
  if (table === undefined) throw new Failure('link_invalid', { note: `no platform ${list.platform}` });
  return table.addresses.list(list);
}

function isSame(one: WrittenLink, other: WrittenLink): boolean {
  const nameOf = (link: WrittenLink) => ('id' in link ? `post ${link.id}` : `code ${link.code}`);
  return one.platform === other.platform && nameOf(one) === nameOf(other);
}

/** Interprets a text without any address: a post's number, or an author's name. @throws Failure */
function withoutAddress(text: string, tables: LinkTables): PostReference {
  for (const { platform, id, mention } of tables) {
    if (id.test(text)) return { platform, id: text };
    if (mention.test(text)) throw new Failure('link_handle');
  }
  throw new Failure('link_missing');
}

/** Wrappers inside each other that are opened. */
const mostWrappers = 3;

/** @param wrappers that may still be opened */
function readAddress(
  address: FoundAddress,
  tables: LinkTables,
  wrappers = mostWrappers,
): WrittenLink | NoPost {
  const found = readPlainAddress(address, tables);
  if (!('kind' in found) || !/^link_(?:invalid|login)$/.test(found.kind) || wrappers === 0) return found;
  for (const text of heldAddresses(address)) {
    const [inner = null] = addressesIn(withoutAppSchemes(text, appSchemesOf(tables)), knownHosts(tables));
    const held = inner === null ? null : readAddress(inner, tables, wrappers - 1);
    if (held !== null && !('kind' in held)) return held;
  }
  return found;
}

function readPlainAddress(address: FoundAddress, tables: LinkTables): WrittenLink | NoPost {
  for (const table of tables) {
    const use = table.hosts.find((one) => one.name.test(address.host))?.use;
    if (use === 'posts' || use === 'codes') return readPath(address, use, table);
    if (use !== undefined) return { kind: use };
  }
  return { kind: 'link_invalid', hint: isOtherShortLink(address) ? 'short_link' : 'other_site' };
}

function readPath(address: FoundAddress, use: 'posts' | 'codes', table: LinkTable): WrittenLink | NoPost {
  const segments = segmentsOf(address.path, table);
  // A truncated address gives no id or code: it may have lost a part.
  if (!address.brokenOff) {
    const post =
      postOf(segments, address.query, table) ?? postOf(segmentsOf(address.fragment, table), '', table);
    if (post !== null) return post;
    for (const form of table.codes[use]) {
      const code = matchPath(form, segments, table)?.code;
      if (code !== undefined) return { platform: table.platform, code };
    }
  }
  const kind = table.others.find((form) => matchPath(form.path, segments, table) !== null)?.kind;
  return kind === undefined ? { kind: 'link_invalid', hint: 'no_post' } : { kind };
}

function segmentsOf(path: string, table: LinkTable): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  const [first = ''] = segments;
  return segments.length > 1 && table.language.test(first) ? segments.slice(1) : segments;
}

/** A name that an address can hold as it stands. */
const plainHandle = /^[\w.-]{1,64}$/;

function postOf(segments: readonly string[], query: string, table: LinkTable) {
  for (const form of table.posts) {
    const match = matchPath(form.path, segments, table);
    if (match === null) continue;
    const id = form.query === undefined ? match.id : parameter(query, form.query);
    if (id === undefined || !table.id.test(id)) continue;
    const { handle = '' } = match;
    return { platform: table.platform, id, ...(plainHandle.test(handle) && { handle }) };
  }
  return null;
}

function parameter(query: string, name: string): string | undefined {
  return query
    .split('&')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}
