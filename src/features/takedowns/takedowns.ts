import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';

/** A blocked subject: one post, or everything of an author. */
export interface TakedownSubject {
  readonly kind: 'post' | 'author';
  /** As {@link nameOf} makes it of the post's id, or of the author's handle in lower case, without "@". */
  readonly name: string;
}

/** The name of something of a platform, which others may have, too. */
export const nameOf = (platform: string, name: string) => `${platform}/${name}`;

interface Takedown extends TakedownSubject {
  /** As the operator gave it. */
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
}

/** Writes down what is taken down. Every instance hears of it by {@link TakedownList.refresh}. */
export interface Takedowns {
  /** @returns false when it was there already */
  add(subject: TakedownSubject, url: string): Promise<boolean>;
  /** @returns false when there was none */
  remove(subject: TakedownSubject): Promise<boolean>;
  /** The newest first. */
  list(): Promise<readonly Takedown[]>;
}

/** @param now milliseconds since 1970 */
export function createTakedowns(query: Kysely<Tables>, now: () => number): Takedowns {
  return {
    async add({ kind, name }, url) {
      const rows = await query
        .insertInto('takedowns')
        .values({ kind, name, url, made_at: now() })
        .onConflict((conflict) => conflict.columns(['kind', 'name']).doNothing())
        .returning('id')
        .execute();
      return rows.length > 0;
    },
    async remove({ kind, name }) {
      const rows = await query
        .deleteFrom('takedowns')
        .where('kind', '=', kind)
        .where('name', '=', name)
        .returning('id')
        .execute();
      return rows.length > 0;
    },
    async list() {
      const rows = await query.selectFrom('takedowns').selectAll().orderBy('id', 'desc').execute();
      return rows.map(({ kind, name, url, made_at }) => ({ kind, name, url, madeAt: made_at }));
    },
  };
}

/** The takedowns in memory: checked for every post. */
export interface TakedownList {
  /** @param handle null while it is not known who made the post */
  has(post: { readonly platform: string; readonly id: string; readonly handle: string | null }): boolean;
  /** Reads the list again when it has changed. @returns true when something was added */
  refresh(): Promise<boolean>;
}

/** Opens the list, as it is now. */
export async function openTakedownList(query: Kysely<Tables>): Promise<TakedownList> {
  let names = new Set<string>();
  let version = '';

  async function refresh(): Promise<boolean> {
    const { last, number } = await query
      .selectFrom('takedowns')
      .select(({ fn }) => [fn.max('id').as('last'), fn.countAll<number>().as('number')])
      .executeTakeFirstOrThrow();
    const next = `${last ?? 0}/${number}`;
    if (next === version) return false;
    const rows = await query.selectFrom('takedowns').select(['kind', 'name']).execute();
    const found = new Set(rows.map(({ kind, name }) => `${kind} ${name}`));
    const added = [...found].some((name) => !names.has(name));
    names = found;
    version = next;
    return added;
  }

  await refresh();
  return {
    has: ({ platform, id, handle }) =>
      names.size > 0 &&
      (names.has(`post ${nameOf(platform, id)}`) ||
        (handle !== null && names.has(`author ${nameOf(platform, handle.toLowerCase())}`))),
    refresh,
  };
}
