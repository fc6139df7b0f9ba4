import { z } from 'zod';
import {
  type ArticleSelection,
  type ArticleSummary,
  type Category,
  maxSlugLength,
  pictureIdPattern,
  slugPattern,
  uidPattern,
} from '../content.ts';

/** The shapes of `GET /category/list` and `GET /stars/article/recently_hot_article`, in both directions. */

const slug = z.string().max(maxSlugLength).regex(slugPattern);
const uid = z.union([z.string(), z.number()]).transform(String).pipe(z.string().regex(uidPattern));
const text = z.string().max(2000);
const pixels = z.int().min(1).max(20_000);

const picture = z.object({
  id: z.string().regex(pictureIdPattern),
  file: text,
  width: pixels,
  height: pixels,
  widths: z.array(pixels).max(20),
  alt: text,
});

const article = z.object({
  id: z.number(),
  key: slug.optional(),
  language: z.string().max(20),
  slug,
  title: text,
  description: text.default(''),
  cover: picture.nullable().catch(null),
  category_id: z.number().default(0),
  author: z.union([z.literal(''), slug]).default(''),
  published_at: z.iso.datetime(),
  updated_at: z.iso.datetime().optional(),
  views: z.number().default(0),
});

/** More than any caller requests. */
const maxListed = 100;

/** An article that is not in order is left out, the others are shown. */
const list = z
  .array(z.unknown())
  .catch([])
  .transform((all) =>
    all.slice(0, maxListed).flatMap((one) => {
      const checked = article.safeParse(one);
      return checked.success ? [checked.data] : [];
    }),
  );
const selection = z.object({ hot: list.default([]), top: list.default([]), recently: list.default([]) });

const maxCategories = 1000;

const category: z.ZodType<Category> = z.object({
  id: z.number().default(0),
  uid,
  slug: z.union([z.literal(''), slug]).default(''),
  name: text.default(''),
  description: text.default(''),
  articles: z.number().default(0),
  get children() {
    return z.array(category).max(maxCategories).default([]);
  },
});

const time = (at: number) => new Date(at).toISOString();

function fromArticle(one: ArticleSummary, urlOf: (article: ArticleSummary) => string) {
  return {
    id: one.id,
    key: one.key,
    language: one.locale,
    slug: one.slug,
    url: urlOf(one),
    title: one.title,
    description: one.description,
    cover: one.cover,
    category_id: one.categoryId,
    author: one.authorId,
    published_at: time(one.publishedAt),
    updated_at: time(one.updatedAt),
    views: one.views,
  };
}

function toArticle(one: z.output<typeof article>): ArticleSummary {
  const publishedAt = Date.parse(one.published_at);
  return {
    id: one.id,
    key: one.key ?? one.slug,
    locale: one.language,
    slug: one.slug,
    title: one.title,
    description: one.description,
    cover: one.cover,
    categoryId: one.category_id,
    authorId: one.author,
    publishedAt,
    updatedAt: one.updated_at === undefined ? publishedAt : Date.parse(one.updated_at),
    views: one.views,
  };
}

/** The `data` of `GET /stars/article/recently_hot_article`. */
export function writeSelection(lists: ArticleSelection, urlOf: (article: ArticleSummary) => string) {
  const write = (articles: readonly ArticleSummary[]) => articles.map((one) => fromArticle(one, urlOf));
  return { hot: write(lists.hot), top: write(lists.top), recently: write(lists.recently) };
}

/** @throws ZodError for other data */
export function readSelection(data: unknown): ArticleSelection {
  const { hot, top, recently } = selection.parse(data);
  return { hot: hot.map(toArticle), top: top.map(toArticle), recently: recently.map(toArticle) };
}

/** The `data` of `GET /category/list`. @param simple leaves out what only pages of categories need */
export function writeCategories(categories: readonly Category[], simple: boolean): object[] {
  return categories.map(({ id, uid, slug, name, description, articles, children }) => ({
    id,
    uid,
    slug,
    name,
    ...(!simple && { description, articles }),
    children: writeCategories(children, simple),
  }));
}

/** @throws ZodError for other data */
export function readCategories(data: unknown): Category[] {
  return z.array(category).max(maxCategories).parse(data);
}
