import { platformLink } from '../../../configuration/platforms.ts';

/**
 * Whether pasted or dropped text should be sent to the server at once. Deliberately rough: the server decides what the
 * link is.
 */
export function mentionsPlatform(text: string): boolean {
  return platformLink.test(text) || /\bdata-video-id\s*=/i.test(text);
}

const everyPlatformLink = new RegExp(platformLink, 'gi');

/** Whether a text may name more than one post. As rough: the server's link tables decide. */
export function mentionsSeveral(text: string): boolean {
  return (text.match(everyPlatformLink)?.length ?? 0) > 1;
}

/** Limit for the links of a list, and for the files of a zip. */
export const mostListed = 20;

/** Whether a text, such as an export, names more posts than a list takes. As rough. */
export function mentionsMany(text: string): boolean {
  const links = new Set<string>();
  for (const [word] of text.matchAll(/[^\s"'<>,;|]+/g)) {
    if (platformLink.test(word)) links.add(word);
    if (links.size > mostListed) return true;
  }
  return false;
}
