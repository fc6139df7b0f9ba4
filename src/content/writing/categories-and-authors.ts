import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import type { AuthorLink, Picture } from '../content.ts';

/** A category with its texts, ready to be written. */
export interface CategoryToSave {
  readonly uid: string;
  readonly slug: string;
  /** The uid of the category above it; null at the top. */
  readonly parent: string | null;
  readonly position: number;
  readonly texts: Readonly<Record<string, { readonly name: string; readonly description: string }>>;
}

/** An author with their texts, ready to be written. */
export interface AuthorToSave {
  readonly id: string;
  readonly picture: Picture | null;
  readonly position: number;
  readonly texts: Readonly<
    Record<string, { readonly name: string; readonly bio: string; readonly links: readonly AuthorLink[] }>
  >;
}

/** Writes categories, parents first. @returns the number of each by its uid */
export async function saveCategories(
  transaction: Kysely<Tables>,
  categories: readonly CategoryToSave[],
): Promise<Map<string, number>> {
  const rows = await transaction.selectFrom('categories').select(['id', 'uid']).execute();
  const ids = new Map(rows.map(({ id, uid }) => [uid, id]));
  for (const { uid, slug, parent, position, texts } of categories) {
    const row = { uid, slug, position, parent_id: parent === null ? null : (ids.get(parent) ?? null) };
    const { id } = await transaction
      .insertInto('categories')
      .values(row)
      .onConflict((conflict) => conflict.column('uid').doUpdateSet(row))
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(uid, id);
    await transaction.deleteFrom('category_texts').where('category_id', '=', id).execute();
    const values = Object.entries(texts).map(([locale, text]) => ({ category_id: id, locale, ...text }));
    if (values.length > 0) await transaction.insertInto('category_texts').values(values).execute();
  }
  return ids;
}

/** Writes authors, new ones and changed ones. */
export async function saveAuthors(
  transaction: Kysely<Tables>,
  authors: readonly AuthorToSave[],
): Promise<void> {
  for (const { id, picture, position, texts } of authors) {
    const row = { id, position, picture: picture === null ? null : JSON.stringify(picture) };
    await transaction
      .insertInto('authors')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    await transaction.deleteFrom('author_texts').where('author_id', '=', id).execute();
    const values = Object.entries(texts).map(([locale, { links, ...text }]) => ({
      author_id: id,
      locale,
      ...text,
      links: JSON.stringify(links),
    }));
    if (values.length > 0) await transaction.insertInto('author_texts').values(values).execute();
  }
}
