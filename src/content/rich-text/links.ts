import type { Element, ElementContent, Root } from 'hast';
import { SKIP, visit } from 'unist-util-visit';
import { elementOf } from './tree.ts';

export interface LinkRules {
  /** The site's public origin, `https://` and its host. */
  readonly origin: string;
  /** Sites to which links may be followed by search engines; their subdomains too. */
  readonly partnerDomains: readonly string[];
}

/** Links to other sites than ours and the partners' that one text may have. */
const maxNofollow = 5;

/** Marks a link that stays a link although it is one too many. */
const keepLink = 'keep-link';

type LinkKind = 'own' | 'partner' | 'mail' | 'other';

function hostIs(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Reads an address as a browser would, relative to the site's root. Null for what is no address. */
function readLink(
  href: string,
  { origin, partnerDomains }: LinkRules,
): { kind: LinkKind; href: string } | null {
  if (href.startsWith('#')) return { kind: 'own', href };
  const url = URL.parse(href, `${origin}/`);
  if (url === null) return null;
  if (url.protocol === 'mailto:') return { kind: 'mail', href: url.href };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.host === new URL(origin).host) {
    const path = url.pathname + url.search + url.hash;
    // `//host` as a path would name another site.
    return path.startsWith('//') ? null : { kind: 'own', href: path };
  }
  const isPartner = partnerDomains.some((domain) => hostIs(url.hostname, domain));
  return { kind: isPartner ? 'partner' : 'other', href: url.href };
}

const isKept = ({ properties }: Element): boolean =>
  Array.isArray(properties.className) && properties.className.includes(keepLink);

/**
 * Links to the site and its partners are followed; others are marked `nofollow`, and those beyond the fifth become text
 * unless they have the class `keep-link`.
 */
export function keepLinkRules(tree: Root, rules: LinkRules): void {
  let others = 0;
  visit(tree, 'element', (element, index, parent) => {
    if (element.tagName !== 'a' || parent === undefined || index === undefined) return;
    const { href } = element.properties;
    const link = typeof href === 'string' ? readLink(href, rules) : null;
    if (link?.kind === 'other') others++;
    if (link === null || (link.kind === 'other' && others > maxNofollow && !isKept(element))) {
      parent.children.splice(index, 1, ...(element.children as ElementContent[]));
      return [SKIP, index];
    }
    element.properties.href = link.href;
    if (!isKept(element)) delete element.properties.className;
    if (link.kind === 'partner') element.properties.rel = ['noopener'];
    if (link.kind === 'other') element.properties.rel = ['nofollow', 'noopener'];
  });
}

const pathOf = (href: string): string => href.replace(/[?#].*$/, '');

function* ownLinks(tree: Root): Generator<{ element: Element; path: string; tail: string }> {
  const elements: Element[] = [];
  visit(tree, 'element', (element: Element) => {
    if (element.tagName === 'a') elements.push(element);
  });
  for (const element of elements) {
    const { href } = element.properties;
    if (typeof href !== 'string' || !href.startsWith('/')) continue;
    const path = pathOf(href);
    yield { element, path, tail: href.slice(path.length) };
  }
}

/** The paths of this site that a text links to. */
export function ownPaths(tree: Root): Set<string> {
  return new Set(Array.from(ownLinks(tree), ({ path }) => path));
}

/** The page of a path of this site. */
export interface OwnPlace {
  readonly href: string;
  /** The page's language, if it differs from the text's: its tag (BCP 47), and the note for the link. */
  readonly otherLanguage?: { readonly lang: string; readonly note: string };
}

/** Finds the page of a path of this site, in the text's language if possible. */
export type FindOwn = (path: string) => Promise<OwnPlace> | OwnPlace;

/** Writes where those paths are found, and what a reader has to know of the language there. */
export function placeOwnLinks(tree: Root, places: ReadonlyMap<string, OwnPlace>): void {
  for (const { element, path, tail } of ownLinks(tree)) {
    const { href, otherLanguage } = places.get(path) ?? { href: path };
    element.properties.href = href + tail;
    if (otherLanguage === undefined) continue;
    element.properties.hrefLang = otherLanguage.lang;
    const last = element.children.at(-1);
    if (last?.type === 'text') last.value += ' ';
    element.children.push(elementOf('small', {}, { type: 'text', value: otherLanguage.note }));
  }
}
