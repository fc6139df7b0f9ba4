import type { Generated } from 'kysely';

export interface CategoryTable {
  id: Generated<number>;
  /** Stable name by which other programs know it. */
  uid: string;
  slug: string;
  parent_id: number | null;
  /** Order in which categories are shown. */
  position: number;
}

export interface CategoryTextTable {
  category_id: number;
  locale: string;
  name: string;
  description: string;
}

export interface AuthorTable {
  /** Stands in the author's address. */
  id: string;
  /** JSON of a picture, or null. */
  picture: string | null;
  position: number;
}

export interface AuthorTextTable {
  author_id: string;
  locale: string;
  name: string;
  /** Markdown. */
  bio: string;
  /** JSON: array of `{ text, url }`. */
  links: string;
}

/** One row, with the number 1. */
export interface ImportTable {
  id: number;
  /** 1 while written articles are missing from the lists' counts. */
  unfinished: number;
}

/** The articles of a list in order; every list is one range of the primary key. */
export interface ListingTable {
  locale: string;
  /** `all`, `category:{id}` or `author:{id}`. */
  list: string;
  published_at: number;
  article_id: number;
}

/** The position of every hundredth entry of a list, so that any page of it is found without counting from its start. */
export interface ListingMarkTable {
  locale: string;
  list: string;
  /** Number of entries before the marked one. */
  place: number;
  published_at: number;
  article_id: number;
}

export interface ListingTotalTable {
  locale: string;
  list: string;
  total: number;
}

/** A file that browsers fetch; one row for each size and format. */
export interface PictureTable {
  /** Digest of the original. */
  id: string;
  /** Pixels; 0 for the original. */
  width: number;
  /** `avif`, `webp`, `jpg`, `svg` or `original`. */
  format: string;
  bytes: Uint8Array;
}

/** Notifications for other processes. Numbers grow in the order in which changes become visible. */
export interface ChangeTable {
  id: Generated<number>;
  /** `article`, `category`, `author`, `takedown`. */
  subject: string;
  /** Language of the pages that changed; empty for all. */
  locale: string;
  /** An article's slug, a category's or author's id, or `*` for everything. */
  name: string;
  made_at: number;
}
