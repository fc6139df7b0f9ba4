import type { Generated, Kysely } from 'kysely';
import type { ArticleTable } from './tables/article-table.ts';

interface CategoryTable {
  id: Generated<number>;
  /** Stable name by which other programs know it. */
  uid: string;
  slug: string;
  parent_id: number | null;
  /** Order in which categories are shown. */
  position: number;
}

interface CategoryTextTable {
  category_id: number;
  locale: string;
  name: string;
  description: string;
}

interface AuthorTable {
  /** Stands in the author's address. */
  id: string;
  /** JSON of a picture, or null. */
  picture: string | null;
  position: number;
}

interface AuthorTextTable {
  author_id: string;
  locale: string;
  name: string;
  /** Markdown. */
  bio: string;
  /** JSON: array of `{ text, url }`. */
  links: string;
}

/** One row, with the number 1. */
interface ImportTable {
  id: number;
  /** 1 while written articles are missing from the lists' counts. */
  unfinished: number;
}

/** The articles of a list in order; every list is one range of the primary key. */
interface ListingTable {
  locale: string;
  /** `all`, `category:{id}` or `author:{id}`. */
  list: string;
  published_at: number;
  article_id: number;
}

/** The position of every hundredth entry of a list, so that any page of it is found without counting from its start. */
interface ListingMarkTable {
  locale: string;
  list: string;
  /** Number of entries before the marked one. */
  place: number;
  published_at: number;
  article_id: number;
}

interface ListingTotalTable {
  locale: string;
  list: string;
  total: number;
}

/** A file that browsers fetch; one row for each size and format. */
interface PictureTable {
  /** Digest of the original. */
  id: string;
  /** Pixels; 0 for the original. */
  width: number;
  /** `avif`, `webp`, `jpg`, `svg` or `original`. */
  format: string;
  bytes: Uint8Array;
}

/** Notifications for other processes. Numbers grow in the order in which changes become visible. */
interface ChangeTable {
  id: Generated<number>;
  /** `article`, `category`, `author`, `takedown`. */
  subject: string;
  /** Language of the pages that changed; empty for all. */
  locale: string;
  /** An article's slug, a category's or author's id, or `*` for everything. */
  name: string;
  made_at: number;
}

/** A form of the platform's answers that the program does not know. */
interface PostShapeTable {
  /** With its platform in front: `tiktok/page`. */
  strategy: string;
  /** `field`, `type`, `value` or `unreadable`. */
  kind: string;
  /** Path of the field, and the value's type or the value. */
  name: string;
  first_seen: number;
  last_seen: number;
  /** Id of a post that has it. */
  example: string;
  /** 1 for what was there already when the site began to look. */
  is_usual: number;
}

/** A running process of the site. Rows of those that are gone are deleted after a day. */
interface InstanceTable {
  /** Random, another one at each start. */
  id: string;
  started_at: number;
  seen_at: number;
  /** JSON of `InstanceState`. */
  state: string;
}

/** Which process alone does something, and until when. */
interface LeaseTable {
  name: string;
  owner: string;
  owned_until: number;
}

/** A sum of an hour, a day or a month; says nothing of anybody. `stores/tally/subjects.ts` lists what there is. */
interface TallyTable {
  subject: string;
  unit: 'hour' | 'day' | 'month';
  /** Hours, days or months since 1970, in UTC. */
  at: number;
  name: string;
  /** Empty where the subject has one part only. */
  detail: string;
  total: number;
  /** When something was last added; 0 for sums from before the tally. */
  last_at: number;
}

/** An instance that adds to the tally, and the number of its last batch. Rows of those that are gone are deleted. */
interface TallyWriterTable {
  writer: string;
  number: number;
  written_at: number;
}

/**
 * The tables, as the newest migration leaves them; features have the types of their own. Times are milliseconds since
 * 1970, flags are 0 or 1, and JSON is text: both engines store and return these identically.
 */
export interface Tables {
  categories: CategoryTable;
  category_texts: CategoryTextTable;
  authors: AuthorTable;
  author_texts: AuthorTextTable;
  articles: ArticleTable;
  listings: ListingTable;
  listing_marks: ListingMarkTable;
  listing_totals: ListingTotalTable;
  pictures: PictureTable;
  changes: ChangeTable;
  imports: ImportTable;
  tally: TallyTable;
  tally_writers: TallyWriterTable;
  post_shapes: PostShapeTable;
  instances: InstanceTable;
  leases: LeaseTable;
}

/** The database did not respond in time, or is unreachable. The statement may or may not have been executed. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';

  /** @param cause what the driver said */
  constructor(cause: unknown) {
    super(`The database does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** The store of everything that lasts. */
export interface Database {
  readonly engine: 'sqlite' | 'postgresql';
  /** Builds and runs queries; a transaction is durable once it resolves. */
  readonly query: Kysely<Tables>;
  close(): Promise<void>;
}
