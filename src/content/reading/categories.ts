import type { Kysely } from 'kysely';
import { defaultLocale } from '../../i18n/languages.ts';
import type { Tables } from '../../stores/contracts/database.ts';
import type { Category } from '../content.ts';
import { listLengths, listName } from './listings.ts';

/** {@link Content.categories} */
export async function readCategories(query: Kysely<Tables>, locale: string): Promise<Category[]> {
  const [rows, texts, lengths] = await Promise.all([
    query.selectFrom('categories').selectAll().orderBy('position').orderBy('id').execute(),
    query.selectFrom('category_texts').selectAll().where('locale', 'in', [locale, defaultLocale]).execute(),
    listLengths(query, locale),
  ]);
  const textOf = (id: number) => {
    const own = texts.filter(({ category_id }) => category_id === id);
    return own.find((text) => text.locale === locale) ?? own[0];
  };
  const under = (parent: number | null): Category[] =>
    rows
      .filter(({ parent_id }) => parent_id === parent)
      .map(({ id, uid, slug }) => ({
        id,
        uid,
        slug,
        name: textOf(id)?.name ?? slug,
        description: textOf(id)?.description ?? '',
        articles: lengths.get(listName({ category: id })) ?? 0,
        children: under(id),
      }));
  return under(null);
}
