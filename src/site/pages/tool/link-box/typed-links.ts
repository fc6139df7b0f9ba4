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
