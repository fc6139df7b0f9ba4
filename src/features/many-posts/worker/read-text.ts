import { platformLink } from '../../../site/configuration/platforms.ts';
import { readDate } from './dates.ts';
import { postsIn } from './read-links.ts';
import type { Sections } from './sections.ts';

const address = /https?:\/\/[^\s"'<>,;|]+/gi;
/** Links of one line without a scheme. */
const mostBare = 1000;

/**
 * Reads the posts of a text: the export's text form (`Date: …`, `Link: …`), CSV, a browser's bookmarks, or links alone.
 * A link's date stands in its line, or in one of its own before it.
 */
export function readText(text: string, path: readonly string[], sections: Sections): void {
  let date: number | null = null;
  // A page's bookmarks may be one line.
  for (const piece of text.split(/\n|(?=<a\s)/i)) {
    const links = piece.match(address) ?? (platformLink.test(piece) ? postsIn(piece, mostBare) : []);
    const own = readDate(/\badd_date="(\d+)"/i.exec(piece)?.[1] ?? piece.replace(address, ' '));
    date = own ?? date;
    for (const link of links) sections.add(link, path, date);
    if (links.length > 0) date = null;
  }
}
