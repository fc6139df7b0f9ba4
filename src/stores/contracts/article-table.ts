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
  /** All sizes, the smallest first; each is there as avif, webp and jpg. None of a drawing, which is there as svg. */
  readonly widths: readonly number[];
  /** What it shows, in the article's language; empty when the article says it beside the picture. */
  readonly alt: string;
}

/** What the database and the counting of views fill in. */
const counted = {
  id: number('id'),
  views: number('views'),
};

/** What lists show. */
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

/** What only the article's own page shows. */
const onPage = {
  keywords: text('keywords'),
  /** Markdown. */
  body: text('body'),
  /** Pictures of the body, by the relative address under which it mentions them. */
  pictures: json<'pictures', Readonly<Record<string, Picture>>>('pictures'),
};

/** What no page shows. */
const hidden = {
  isHot: flag('is_hot'),
  isTop: flag('is_top'),
  /** Of the files that it was read from: an import passes over what has not changed. */
  digest: text('digest'),
  /** Tells whether the files are as they were at the last import, without reading what is in them; empty if unknown. */
  source: text('source'),
};

/** What lists read of an article. A new field stands in one of the groups above, and all else follows from that. */
export const summaryColumns = { ...counted, ...listed };

/** What the article's page reads. */
export const pageColumns = { ...summaryColumns, ...onPage };

/** What an import writes. */
export const writtenColumns = { ...listed, ...onPage, ...hidden };

/** One row for each language of an article. */
export interface ArticleTable extends RowOf<typeof writtenColumns> {
  id: Generated<number>;
  views: Generated<number>;
  /** Views, each worth twice as much for every fourteen days that it is younger. */
  heat: Generated<number>;
}
