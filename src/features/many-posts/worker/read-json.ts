import { readDate } from './dates.ts';
import { type Sections, UnreadableExport } from './sections.ts';

/** Lists stand five deep at most. What is deeper is none. */
const mostDepth = 32;

const linkName = /link|url/i;
const dateName = /date|time/i;

/**
 * Reads an export by its shape: objects in lists whose link is a post's, under whatever names.
 * @param path names around the text: its file's
 * @throws UnreadableExport `broken` when it is not JSON
 */
export function readJson(text: string, path: readonly string[], sections: Sections): void {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (thrown) {
    throw new UnreadableExport('broken', thrown);
  }
  walk(root, path, 0, sections);
}

function walk(value: unknown, path: readonly string[], depth: number, sections: Sections): void {
  if (typeof value !== 'object' || value === null || depth > mostDepth) return;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'string') sections.add(item, path, null);
      else walk(item, path, depth + 1, sections);
    }
    return;
  }
  const fields = Object.entries(value);
  const links = fields.filter(([name, held]) => typeof held === 'string' && linkName.test(name));
  if (links.length > 0) {
    const date = fields.find(([name]) => dateName.test(name))?.[1];
    for (const [, link] of links) sections.add(link as string, path, readDate(date));
  }
  for (const [name, held] of fields)
    if (typeof held === 'object' && held !== null) walk(held, [...path, name], depth + 1, sections);
}
