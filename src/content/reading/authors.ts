import type { Kysely, Selectable } from 'kysely';
import { defaultLocale } from '../../i18n/languages.ts';
import type { Tables } from '../../stores/contracts/database.ts';
import type { Author, AuthorLink } from '../content.ts';
import { listLengths, listName } from './listings.ts';
import { toPicture } from './rows.ts';

type AuthorRow = Selectable<Tables['authors']>;
type TextRow = Selectable<Tables['author_texts']>;

function toAuthor(
  row: AuthorRow,
  texts: readonly TextRow[],
  lengths: ReadonlyMap<string, number>,
  locale: string,
): Author {
  const own = texts.filter(({ author_id }) => author_id === row.id);
  const text = own.find((one) => one.locale === locale) ?? own[0];
  return {
    id: row.id,
    name: text?.name ?? row.id,
    bio: text?.bio ?? '',
    picture: toPicture(row.picture),
    links: JSON.parse(text?.links ?? '[]') as AuthorLink[],
    articles: lengths.get(listName({ author: row.id })) ?? 0,
  };
}

const texts = (query: Kysely<Tables>, locale: string) =>
  query.selectFrom('author_texts').selectAll().where('locale', 'in', [locale, defaultLocale]);

/** {@link Content.authors} */
export async function readAuthors(query: Kysely<Tables>, locale: string): Promise<Author[]> {
  const [rows, textRows, lengths] = await Promise.all([
    query.selectFrom('authors').selectAll().orderBy('position').orderBy('id').execute(),
    texts(query, locale).execute(),
    listLengths(query, locale),
  ]);
  return rows.map((row) => toAuthor(row, textRows, lengths, locale));
}

/** {@link Content.author} */
export async function readAuthor(query: Kysely<Tables>, locale: string, id: string): Promise<Author | null> {
  const [row, textRows, lengths] = await Promise.all([
    query.selectFrom('authors').selectAll().where('id', '=', id).executeTakeFirst(),
    texts(query, locale).where('author_id', '=', id).execute(),
    listLengths(query, locale),
  ]);
  return row === undefined ? null : toAuthor(row, textRows, lengths, locale);
}
