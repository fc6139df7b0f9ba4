/** Links of posts that name their authors, as people copy them. */
const postLink = /tiktok\.com\/(@[\w.-]{1,64}|@)\/(?:video|photo)\/(\d{6,30})/gi;
/** More than this is no list for a few words below the box. */
const mostLinks = 5;

export interface OtherLink {
  /** The address to ask for. */
  readonly href: string;
  /** It without what every such link has in common, with its author where the text names one. */
  readonly name: string;
}

const idOf = (link: string) => /(\d{6,30})\D*$/.exec(link)?.[1];

/**
 * The posts that a text names beside the one that was looked up.
 * @param text what was pasted
 * @param shown the address of the post that was looked up; null where that is not known
 * @param next the address of the next post, as the server read it; null for none
 */
export function otherLinks(text: string, shown: string | null, next: string | null): readonly OtherLink[] {
  if (next === null) return [];
  const found = new Map<string, OtherLink>();
  for (const [whole, , id = ''] of text.matchAll(postLink))
    found.set(id, { href: `https://www.${whole}`, name: whole.replace('/@/', '/') });
  const nextId = idOf(next);
  // A short link has no id to see: the server names it.
  if (nextId === undefined || !found.has(nextId))
    found.set(next, { href: next, name: next.replace(/^https:\/\/(?:www\.)?/, '').replace('/@/', '/') });
  if (shown !== null) found.delete(idOf(shown) ?? '');
  return [...found.values()].slice(0, mostLinks);
}
