import {
  type Choice,
  type ChosenPost,
  type FromWorker,
  mostPosts,
  type ReadFailure,
  type SectionKind,
  type SectionSummary,
} from './messages.ts';
import { type HeldLink, LinkReader } from './read-links.ts';

const firstRoom = 1024;

const grown = <Numbers extends Float64Array | Uint32Array>(old: Numbers, next: Numbers): Numbers => {
  next.set(old);
  return next;
};

/** Posts, each once, with a date. */
class Rows {
  count = 0;
  #form = new Uint32Array(firstRoom);
  #billions = new Float64Array(firstRoom);
  #rest = new Uint32Array(firstRoom);
  #date = new Float64Array(firstRoom);
  /** Places of rows plus one, by the hashes of their numbers; half of it is empty. */
  #table = new Uint32Array(firstRoom * 2);

  /** @param date in ms since the epoch @returns false for a post that is there already: the first one counts */
  add({ form, billions, rest }: HeldLink, date: number | null): boolean {
    if (this.count === this.#form.length) this.#grow();
    const slot = this.#slotOf(billions, rest);
    if (this.#table[slot] !== 0) return false;
    const at = this.count;
    this.#form[at] = form;
    this.#billions[at] = billions;
    this.#rest[at] = rest;
    this.#date[at] = date ?? Number.NaN;
    this.count = at + 1;
    this.#table[slot] = at + 1;
    return true;
  }

  link(at: number): HeldLink {
    return { form: this.#form[at] ?? 0, billions: this.#billions[at] ?? 0, rest: this.#rest[at] ?? 0 };
  }

  /** In ms since the epoch; null for none. */
  date(at: number): number | null {
    const date = this.#date[at] ?? Number.NaN;
    return Number.isNaN(date) ? null : date;
  }

  #slotOf(billions: number, rest: number): number {
    const mask = this.#table.length - 1;
    let slot = Math.imul(rest ^ Math.imul(billions | 0, 0x9e3779b1), 0x85ebca6b) >>> 0;
    for (slot = (slot ^ (slot >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const at = (this.#table[slot] as number) - 1;
      if (at < 0 || (this.#rest[at] === rest && this.#billions[at] === billions)) return slot;
    }
  }

  #grow(): void {
    const room = this.count * 2;
    this.#form = grown(this.#form, new Uint32Array(room));
    this.#billions = grown(this.#billions, new Float64Array(room));
    this.#rest = grown(this.#rest, new Uint32Array(room));
    this.#date = grown(this.#date, new Float64Array(room));
    this.#table = new Uint32Array(room * 2);
    for (let at = 0; at < this.count; at += 1)
      this.#table[this.#slotOf(this.#billions[at] as number, this.#rest[at] as number)] = at + 1;
  }
}

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

/** Posts of lists that are one to a visitor. */
interface Section {
  readonly kind: SectionKind;
  readonly title: string;
  readonly rows: Rows;
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
  readonly #byPath = new Map<string, Section>();
  readonly #links = new LinkReader();
  #rows = 0;
  /** Links that lead to no post. */
  others = 0;

  /** The post that a link in some bytes leads to; null for none. */
  read(bytes: Uint8Array, start: number, end: number): HeldLink | null {
    const link = this.#links.read(bytes, start, end);
    // "http"
    if (link === null && ((bytes[start] ?? 0) | 0x20) === 0x68 && end - start > 7) this.others += 1;
    return link;
  }

  /** Notes a post. @param date in ms since the epoch @throws UnreadableExport `too_many` */
  put(section: Section, link: HeldLink, date: number | null): void {
    this.#rows += 1;
    if (this.#rows > mostRows) throw new UnreadableExport('too_many');
    if (!section.rows.add(link, date)) section.doubles += 1;
  }

  /** @param path names of the lists around a post, the outermost first, each after a line break; empty for a text */
  sectionOf(path: string): Section {
    const known = this.#byPath.get(path);
    if (known !== undefined) return known;
    const { kind, title } = nameOf(path.split('\n').slice(1));
    const key = kind === 'other' ? title : kind;
    const section = this.#sections.get(key) ?? { kind, title, rows: new Rows(), doubles: 0 };
    this.#sections.set(key, section);
    this.#byPath.set(path, section);
    return section;
  }

  summaries(): SectionSummary[] {
    const filled = [...this.#sections.values()].filter(({ rows }) => rows.count > 0);
    return filled.map(({ kind, title, rows }) => {
      let [from, to]: [number | null, number | null] = [null, null];
      for (let at = 0; at < rows.count; at += 1) {
        const date = rows.date(at);
        if (date === null) continue;
        from = Math.min(from ?? date, date);
        to = Math.max(to ?? date, date);
      }
      return { kind, title, count: rows.count, from, to };
    });
  }

  choose({ sections, from, to }: Choice): Extract<FromWorker, { type: 'chosen' }> {
    const all = [...this.#sections.values()].filter(({ rows }) => rows.count > 0);
    const chosen = new Rows();
    const names: string[] = [];
    let doubles = 0;
    for (const index of sections) {
      const section = all[index];
      if (section === undefined) continue;
      const { kind, title, rows } = section;
      doubles += section.doubles;
      for (let at = 0; at < rows.count; at += 1) {
        const date = rows.date(at);
        if (date !== null && (date < from || date > to)) continue;
        if (chosen.add(rows.link(at), date)) names.push(kind === 'other' ? title : kind);
        else doubles += 1;
      }
    }
    const { count } = chosen;
    const posts = count > mostPosts ? [] : names;
    const post = (section: string, at: number): ChosenPost => {
      const link = this.#links.addressOf(chosen.link(at));
      return { link, section, date: chosen.date(at) };
    };
    return { type: 'chosen', count, doubles, posts: posts.map(post) };
  }
}
