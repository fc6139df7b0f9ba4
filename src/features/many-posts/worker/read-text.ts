import { platformLink } from '../../../site/configuration/platforms.ts';
import { readDate } from './dates.ts';
import type { Sections } from './sections.ts';

const between = /[\s"'<>,;|]+/;
const isLink = (word: string) =>
  /^https?:\/\//i.test(word) || (word.includes('.') && platformLink.test(word));

/**
 * Reads the posts of a text: the export's text form (`Date: …`, `Link: …`), CSV, a browser's bookmarks, or links alone.
 * A link's date stands in its line, or in one of its own before it.
 */
export function readText(text: string, path: readonly string[], sections: Sections): void {
  const section = sections.sectionOf(path);
  const encoder = new TextEncoder();
  let date: number | null = null;
  // A page's bookmarks may be one line.
  for (const piece of text.split(/\n|(?=<a\s)/i)) {
    const words = piece.split(between);
    const links = words.filter(isLink);
    const others = words.filter((word) => !isLink(word)).join(' ');
    date = readDate(/\badd_date="(\d+)"/i.exec(piece)?.[1] ?? others) ?? date;
    for (const link of links) {
      const bytes = encoder.encode(link);
      const post = sections.read(bytes, 0, bytes.length);
      if (post !== null) sections.put(section, post, date);
    }
    if (links.length > 0) date = null;
  }
}
