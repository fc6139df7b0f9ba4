/**
 * Whether a text that was pasted or dropped is worth asking the server about at once. Deliberately rough: what the
 * link really is, the server says.
 */
export function mentionsPlatform(text: string): boolean {
  return /(?:^|[^a-z0-9-])(?:[a-z0-9-]+\.)?tiktokv?\.com\/\S/i.test(text);
}
