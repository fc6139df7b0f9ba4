import {
  type Choice,
  type ChosenPost,
  type FromWorker,
  mostPosts,
  type ReadFailure,
  type SectionKind,
  type SectionSummary,
} from './messages.ts';
import { createLinkReader } from './read-links.ts';

/** Rows that are held: some 200 bytes each. A year of watching is a tenth of it. */
const mostRows = 500_000;

/** Why an export cannot be read. */
export class UnreadableExport extends Error {
  readonly reason: ReadFailure;

  constructor(reason: ReadFailure, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

interface Section {
  readonly kind: SectionKind;
  readonly title: string;
  /** Dates by the posts' addresses: the first one counts. */
  readonly rows: Map<string, number | null>;
  doubles: number;
}

/** Innermost names say the most: "Like List" stands in "Likes and Favorites". */
const kinds: readonly (readonly [SectionKind, RegExp])[] = [
  ['likes', /^item ?favorite|^liked?\b|^likes?$|like ?list/i],
  ['favourites', /favou?rite|bookmark|collection|^saved/i],
  ['shared', /^share/i],
  ['watched', /watch|brows/i],
  ['own', /^(?:your |my |recently deleted )?(?:posts?|videos?|published)$/i],
];
/** Names of lists that say nothing on their own. */
const general = /^(?:video|item|post)?_?list$|^videos?$|^data$|^activity$|^your activity$/i;

function nameOf(path: readonly string[]): Pick<Section, 'kind' | 'title'> {
  for (const title of path.toReversed()) {
    if (general.test(title) && title !== path[0]) continue;
    const kind = kinds.find(([, names]) => names.test(title))?.[0];
    if (kind !== undefined) return { kind, title };
  }
  return { kind: path.length === 0 ? 'links' : 'other', title: path.findLast((n) => !general.test(n)) ?? '' };
}

/** The posts of an export, by the lists that they stand in. */
export class Sections {
  readonly #sections = new Map<string, Section>();
  readonly #read = createLinkReader();
  readonly #byPath = new Map<string, Section>();
  #rows = 0;
  /** Links that lead to no post. */
  others = 0;

  /**
   * Notes a link, if it leads to a post.
   * @param path names of the lists that it stands in, the outermost first; empty for a text
   * @param date in ms since the epoch
   * @throws UnreadableExport `too_many`
   */
  add(link: string, path: readonly string[], date: number | null): void {
    const address = this.#read(link);
    if (address === null) {
      if (/^https?:/i.test(link)) this.others += 1;
      return;
    }
    this.#rows += 1;
    if (this.#rows > mostRows) throw new UnreadableExport('too_many');
    const section = this.#sectionOf(path);
    if (section.rows.has(address)) section.doubles += 1;
    else section.rows.set(address, date);
  }

  #sectionOf(path: readonly string[]): Section {
    const name = path.join('/');
    const known = this.#byPath.get(name);
    if (known !== undefined) return known;
    const { kind, title } = nameOf(path);
    const key = kind === 'other' ? title : kind;
    const section = this.#sections.get(key) ?? { kind, title, rows: new Map(), doubles: 0 };
    this.#sections.set(key, section);
    this.#byPath.set(name, section);
    return section;
  }

  summaries(): SectionSummary[] {
    return [...this.#sections.values()].map(({ kind, title, rows }) => {
      let [from, to]: [number | null, number | null] = [null, null];
      for (const date of rows.values()) {
        if (date === null) continue;
        from = Math.min(from ?? date, date);
        to = Math.max(to ?? date, date);
      }
      return { kind, title, count: rows.size, from, to };
    });
  }

  choose({ sections, from, to }: Choice): Extract<FromWorker, { type: 'chosen' }> {
    const all = [...this.#sections.values()];
    const posts = new Map<string, ChosenPost>();
    let doubles = 0;
    for (const index of sections) {
      const section = all[index];
      if (section === undefined) continue;
      const { kind, title, rows } = section;
      doubles += section.doubles;
      for (const [link, date] of rows) {
        if (date !== null && (date < from || date > to)) continue;
        if (posts.has(link)) doubles += 1;
        else posts.set(link, { link, section: kind === 'other' ? title : kind, date });
      }
    }
    const count = posts.size;
    return { type: 'chosen', count, doubles, posts: count > mostPosts ? [] : [...posts.values()] };
  }
}
