import type { Selectable } from 'kysely';
import type { Tables } from '../stores/contracts/database.ts';
import type { Article, ArticleSummary, Picture } from './content.ts';

/** Columns of `articles` that a list needs; the body stays where it is. */
export const summaryColumns = [
  'articles.id',
  'articles.key',
  'articles.locale',
  'articles.slug',
  'articles.title',
  'articles.description',
  'articles.cover',
  'articles.category_id',
  'articles.author_id',
  'articles.published_at',
  'articles.updated_at',
  'articles.views',
] as const;

type Row = Selectable<Tables['articles']>;

type SummaryRow = Pick<
  Row,
  | 'id'
  | 'key'
  | 'locale'
  | 'slug'
  | 'title'
  | 'description'
  | 'cover'
  | 'category_id'
  | 'author_id'
  | 'published_at'
  | 'updated_at'
  | 'views'
>;

/** A picture as it was stored; null for none. */
export function toPicture(json: string | null): Picture | null {
  return json === null ? null : (JSON.parse(json) as Picture);
}

export function toSummary(row: SummaryRow): ArticleSummary {
  return {
    id: row.id,
    key: row.key,
    locale: row.locale,
    slug: row.slug,
    title: row.title,
    description: row.description,
    cover: toPicture(row.cover),
    categoryId: row.category_id,
    authorId: row.author_id,
    publishedAt: row.published_at,
    updatedAt: row.updated_at,
    views: row.views,
  };
}

export function toArticle(row: SummaryRow & Pick<Row, 'keywords' | 'body' | 'pictures'>): Article {
  return {
    ...toSummary(row),
    keywords: row.keywords,
    body: row.body,
    pictures: JSON.parse(row.pictures) as Article['pictures'],
  };
}
