import type {
  Picture,
  pageColumns,
  summaryColumns,
  writtenColumns,
} from '../stores/contracts/tables/article-table.ts';
import type { ValuesOf } from '../stores/contracts/tables/columns.ts';

/** The articles, categories and authors that the site shows. Plain data: all of it can be sent to a browser. */

export type { Picture };

/** Formats that every size of a picture is made in; `svg` for those that are drawn. */
export const pictureFormats = ['avif', 'webp', 'jpg', 'svg'] as const;

type PictureFormat = (typeof pictureFormats)[number];

/** An article as lists show it. */
export type ArticleSummary = ValuesOf<typeof summaryColumns>;

/** An article as its own page shows it. */
export type Article = ValuesOf<typeof pageColumns>;

/** An article in one language, ready to be written. */
export type ArticleToSave = ValuesOf<typeof writtenColumns>;

/** One page of a list. */
export interface ArticlePage {
  readonly articles: readonly ArticleSummary[];
  /** Length of the whole list. */
  readonly total: number;
  /** 1 is the first. */
  readonly page: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
}

/** Selects a list of articles: all of a language, those of a category and its children, or those of an author. */
export type ArticleList = { readonly category: number } | { readonly author: string } | 'all';

/** The lists of the specification. */
export interface ArticleSelection {
  /** Put forward by the operator, then read most in the last weeks. */
  readonly hot: readonly ArticleSummary[];
  /** Put forward by the operator, then read most of all. */
  readonly top: readonly ArticleSummary[];
  /** The newest. */
  readonly recently: readonly ArticleSummary[];
}

/** The address of an article in another language. */
export interface ArticleAddress {
  readonly locale: string;
  readonly slug: string;
  readonly updatedAt: number;
}

/** A category with its name in the requested language, else in English. */
export interface Category {
  readonly id: number;
  readonly uid: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Articles in the requested language, including those of its children. */
  readonly articles: number;
  readonly children: readonly Category[];
}

export interface AuthorLink {
  readonly text: string;
  /** A path of this site without language, or an https address. */
  readonly url: string;
}

/** An author, with texts in the requested language, else in English. */
export interface Author {
  readonly id: string;
  readonly name: string;
  /** Markdown. */
  readonly bio: string;
  readonly picture: Picture | null;
  readonly links: readonly AuthorLink[];
  /** Articles in the requested language. */
  readonly articles: number;
}

/** Reads what the operator brought in. Every question costs the same with ten articles and with a million. */
export interface Content {
  /** A numbered page of a list, newest first. @param page 1 is the first; a page past the end is empty */
  articles(wanted: { locale: string; list: ArticleList; page: number; size: number }): Promise<ArticlePage>;
  /** Null when the article does not exist in this language, or is unpublished: no other call here finds it either. */
  article(locale: string, slug: string): Promise<Article | null>;
  /** All languages that an article is written in, in the order of their names. */
  translations(key: string): Promise<readonly ArticleAddress[]>;
  /** The addresses of several articles with one query, by their keys. */
  allTranslations(keys: readonly string[]): Promise<ReadonlyMap<string, readonly ArticleAddress[]>>;
  /** Articles of the same category: those before it in time, then the newest; never itself. */
  related(article: ArticleSummary, size: number): Promise<readonly ArticleSummary[]>;
  /** Hot, top and newest articles, `start` of each left out. */
  selection(wanted: { locale: string; start: number; size: number }): Promise<ArticleSelection>;
  /** The top categories in the operator's order, each with its children. */
  categories(locale: string): Promise<readonly Category[]>;
  /** Ordered by the operator. */
  authors(locale: string): Promise<readonly Author[]>;
  author(locale: string, id: string): Promise<Author | null>;
  /** A file of a picture; null when this size or format does not exist. */
  pictureFile(id: string, width: number, format: PictureFormat): Promise<Uint8Array | null>;
}

/** Names of articles, authors and folders, as they stand in addresses: lower-case letters, digits and single hyphens. */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const maxSlugLength = 100;

/** The name by which other programs know a category. */
export const uidPattern = /^[\w-]{1,40}$/;

/** A picture's, in the addresses of its files. */
export const pictureIdPattern = /^[\w-]{1,64}$/;
