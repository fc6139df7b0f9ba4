import type { ArticleSummary, Category } from '../../../content/content.ts';
import { type Address, linkTo } from '../../addressing/addresses.ts';
import { siteHas } from '../../addressing/site-pages.ts';
import type { SiteConfiguration } from '../../configuration/configuration.ts';
import { showDate } from './dates.ts';

/** The site and the language of a list of articles. */
export interface CardContext {
  readonly configuration: SiteConfiguration;
  readonly address: Address;
}

/** The sign of a category on a card without a picture, by the category's position. */
export const categoryIcons = ['phone', 'sparkles', 'shield', 'film', 'music', 'images', 'globe'] as const;

/** A category as a link. */
export type CategoryLink = ReturnType<typeof toCategoryLink>;

/** An article as lists show it. */
export type ArticleCard = ReturnType<typeof toCards>[number];

/** Finds a category and its top category's place, among all of them and their children. */
export function findCategory(
  categories: readonly Category[],
  matches: (category: Category) => boolean,
): { category: Category; parent: Category | null; place: number } | undefined {
  for (const [place, top] of categories.entries()) {
    if (matches(top)) return { category: top, parent: null, place };
    const child = top.children.find(matches);
    if (child !== undefined) return { category: child, parent: top, place };
  }
  return undefined;
}

/**
 * A link to a category in the page's language and layout.
 * @param place among the top categories, which gives it a colour and an icon
 */
export function toCategoryLink(category: Category, place: number, { configuration, address }: CardContext) {
  const { locale, variant } = address;
  return {
    name: category.name,
    href: linkTo(configuration, locale, `posts/${category.slug}`, variant),
    place,
  };
}

/** Articles made ready for {@link ArticleCards}. */
export function toCards(
  articles: readonly ArticleSummary[],
  categories: readonly Category[],
  context: CardContext,
) {
  const { configuration, address } = context;
  const hasCategories = siteHas(configuration, 'posts', address.locale);
  return articles.map((article) => {
    const found = findCategory(categories, ({ id }) => id === article.categoryId);
    return {
      id: article.id,
      href: linkTo(configuration, address.locale, article.slug),
      title: article.title,
      description: article.description,
      published: showDate(article.publishedAt, address.locale),
      cover: article.cover,
      category:
        found === undefined || !hasCategories ? null : toCategoryLink(found.category, found.place, context),
    };
  });
}
