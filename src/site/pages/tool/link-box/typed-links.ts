import { platformLink } from '../../../configuration/platforms.ts';

/**
 * Whether pasted or dropped text should be sent to the server at once. Deliberately rough: the server decides what the
 * link is.
 */
export function mentionsPlatform(text: string): boolean {
  return platformLink.test(text) || /\bdata-video-id\s*=/i.test(text);
}

const everyPlatformLink = new RegExp(platformLink, 'gi');

/** Whether a text may name more than one post. As rough; which posts it names, the tables of links say. */
export function mentionsSeveral(text: string): boolean {
  return (text.match(everyPlatformLink)?.length ?? 0) > 1;
}

/** Links of one list, and files of one zip. */
export const mostListed = 20;

/** Whether a text, an export's too, names more posts than a list has. As rough. */
export function mentionsMany(text: string): boolean {
  const links = new Set<string>();
  for (const [word] of text.matchAll(/[^\s"'<>,;|]+/g)) {
    if (platformLink.test(word)) links.add(word);
    if (links.size > mostListed) return true;
  }
  return false;
}
