import type { Generated } from 'kysely';
import { flag, json, jsonOrNull, number, type RowOf, text } from './columns.ts';

/** A picture that was made into several sizes; its files are at `/pictures/{id}-{width}.{format}`. */
export interface Picture {
  readonly id: string;
  /** Name of the original beside the article. */
  readonly file: string;
  /** Pixels of the largest size. */
  readonly width: number;
  readonly height: number;
  /** All sizes, the smallest first; each exists as avif, webp and jpg. Empty for a drawing, which exists as svg. */
  readonly widths: readonly number[];
  /** Alternative text, in the article's language; empty when the article's text covers it. */
  readonly alt: string;
}

/** Filled in by the database and the view counter. */
const counted = {
  id: number('id'),
  views: number('views'),
};

/** Shown in lists. */
const listed = {
  /** The same in all languages: the name of the article's folder. */
  key: text('key'),
  locale: text('locale'),
  /** The article's address in its language. */
  slug: text('slug'),
  title: text('title'),
  description: text('description'),
  cover: jsonOrNull<'cover', Picture>('cover'),
  categoryId: number('category_id'),
  authorId: text('author_id'),
  /** Milliseconds since 1970. */
  publishedAt: number('published_at'),
  updatedAt: number('updated_at'),
};

/** Shown only on the article's own page. */
const onPage = {
  keywords: text('keywords'),
  /** Markdown. */
  body: text('body'),
  /** Pictures of the body, by the relative address under which it mentions them. */
  pictures: json<'pictures', Readonly<Record<string, Picture>>>('pictures'),
};

/** Not shown on any page. */
const hidden = {
  isHot: flag('is_hot'),
  isTop: flag('is_top'),
  /** Digest of its source files: an import skips unchanged ones. */
  digest: text('digest'),
  /** Tells whether the files are as they were at the last import, without reading what is in them; empty if unknown. */
  source: text('source'),
};

/** The columns that lists read. Put a new field into one of the groups above; everything else follows. */
export const summaryColumns = { ...counted, ...listed };

/** The columns that the article's page reads. */
export const pageColumns = { ...summaryColumns, ...onPage };

/** The columns that an import writes. */
export const writtenColumns = { ...listed, ...onPage, ...hidden };

/** One row for each language of an article. */
export interface ArticleTable extends RowOf<typeof writtenColumns> {
  id: Generated<number>;
  views: Generated<number>;
  /** Views, each worth twice as much for every fourteen days that it is younger. */
  heat: Generated<number>;
  /** Since when nobody sees it; null for an article that is to be read. An import never changes it. */
  unpublished_at: Generated<number | null>;
}
