import { pageColumns, summaryColumns } from '../../stores/contracts/tables/article-table.ts';
import { namesOf, type RowOf, readRow } from '../../stores/contracts/tables/columns.ts';
import type { Article, ArticleSummary } from '../content.ts';

/** Columns of `articles` that a list needs; the body stays where it is. */
export const selectSummary = namesOf(summaryColumns).map((name) => `articles.${name}` as const);

/** Columns of `articles` that the article's own page needs. */
export const selectArticle = namesOf(pageColumns).map((name) => `articles.${name}` as const);

/** An article as lists show it. @throws SyntaxError for stored text that is not JSON */
export const toSummary = (row: RowOf<typeof summaryColumns>): ArticleSummary => readRow(summaryColumns, row);

/** An article as its own page shows it. @throws SyntaxError for stored text that is not JSON */
export const toArticle = (row: RowOf<typeof pageColumns>): Article => readRow(pageColumns, row);

/** A stored picture; null for none. */
export const toPicture = summaryColumns.cover.read;
