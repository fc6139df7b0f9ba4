import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { createDatabasePictures } from '../../stores/embedded/database-pictures.ts';
import type { Content } from '../content.ts';
import { createContent } from '../reading/read-content.ts';

/** The content of a database that has its pictures, too. @param now milliseconds since 1970 */
export const contentOf = (query: Kysely<Tables>, now: () => number): Content =>
  createContent(query, now, createDatabasePictures(query));
