import { platformLink } from '../configuration/platforms.ts';

/**
 * Whether a text that was pasted or dropped is worth asking the server about at once. Deliberately rough: what the
 * link really is, the server says.
 */
export function mentionsPlatform(text: string): boolean {
  return platformLink.test(text) || /\bdata-video-id\s*=/i.test(text);
}
