import type { Generated, Kysely } from 'kysely';
import type { Extractor } from '../../downloader/extractors/extractor.ts';
import { platforms } from '../../downloader/extractors/platforms.ts';
import { locatePost } from '../../downloader/posts/locate-post.ts';
import { Failure } from '../../failures/failures.ts';
import type { Tables } from '../../stores/contracts/database.ts';

/** A blocked post or author. */
interface TakedownTable {
  id: Generated<number>;
  kind: 'post' | 'author';
  /** The post's number, or the author's handle in lower case. */
  name: string;
  /** The operator's spelling. */
  url: string;
  /** Why, in the operator's words; empty where none was given. */
  reason: Generated<string>;
  made_at: number;
  /** When it ends by itself; null for never. */
  ends_at: number | null;
}

/** History of takedowns with their reasons; rows stay after a takedown is lifted. */
interface TakedownLogTable {
  id: Generated<number>;
  made_at: number;
  deed: 'added' | 'lifted';
  kind: 'post' | 'author';
  name: string;
  url: string;
  reason: string;
  ends_at: number | null;
}

/** The database with the tables of this feature. */
const withTakedowns = (database: Kysely<Tables>) =>
  database.$extendTables<{ takedowns: TakedownTable; takedown_log: TakedownLogTable }>();

/** A blocked subject: one post, or everything of an author. */
export interface TakedownSubject {
  readonly kind: 'post' | 'author';
  /** {@link nameOf} the post's id, or the author's handle in lower case, without "@". */
  readonly name: string;
}

/** The name of something of a platform, which others may have, too. */
export const nameOf = (platform: string, name: string) => `${platform}/${name}`;

/** The operator's facts of a takedown. */
interface TakedownFacts {
  /** The link, as the operator gave it. */
  readonly url: string;
  /** Empty where none was given. */
  readonly reason: string;
  /** When it ends by itself, in milliseconds since 1970; null for never. */
  readonly endsAt: number | null;
}

/** For as long as somebody may ask in court what was done about a notice. */
export const logKeptYears = 10;
const logKeptMs = logKeptYears * 366 * 86_400_000;

const columns = ['kind', 'name', 'url', 'reason', 'made_at as madeAt', 'ends_at as endsAt'] as const;

/** Stores takedowns. Every instance reads them by {@link TakedownList.refresh}. */
export type Takedowns = ReturnType<typeof createTakedowns>;

/** @param now milliseconds since 1970 */
export function createTakedowns(database: Kysely<Tables>, now: () => number) {
  const query = withTakedowns(database);
  const write = (
    db: typeof query,
    action: TakedownLogTable['deed'],
    { kind, name }: TakedownSubject,
    { url, reason, endsAt }: TakedownFacts,
  ) =>
    db
      .insertInto('takedown_log')
      .values({ made_at: now(), deed: action, kind, name, url, reason, ends_at: endsAt })
      .execute();
  return {
    /** @returns false when it was there already */
    add: ({ kind, name }: TakedownSubject, { url, reason, endsAt }: TakedownFacts) =>
      query.transaction().execute(async (transaction) => {
        const time = now();
        await transaction
          .deleteFrom('takedown_log')
          .where('made_at', '<', time - logKeptMs)
          .execute();
        await transaction
          .deleteFrom('takedowns')
          .where('kind', '=', kind)
          .where('name', '=', name)
          .where('ends_at', '<=', time)
          .execute();
        const rows = await transaction
          .insertInto('takedowns')
          .values({ kind, name, url, reason, made_at: time, ends_at: endsAt })
          .onConflict((conflict) => conflict.columns(['kind', 'name']).doNothing())
          .returning('id')
          .execute();
        if (rows.length === 0) return false;
        await write(transaction, 'added', { kind, name }, { url, reason, endsAt });
        return true;
      }),
    /** @returns false when there was none */
    remove: ({ kind, name }: TakedownSubject) =>
      query.transaction().execute(async (transaction) => {
        const row = await transaction
          .deleteFrom('takedowns')
          .where('kind', '=', kind)
          .where('name', '=', name)
          .returning(['url', 'reason', 'ends_at'])
          .executeTakeFirst();
        if (row === undefined || (row.ends_at !== null && row.ends_at <= now())) return false;
        const { url, reason, ends_at: endsAt } = row;
        await write(transaction, 'lifted', { kind, name }, { url, reason, endsAt });
        return true;
      }),
    /** Those that have not ended, the newest first. */
    list: () =>
      query
        .selectFrom('takedowns')
        .select(columns)
        .where(({ eb, or }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', now())]))
        .orderBy('id', 'desc')
        .execute(),
    /** Everything that was ever taken down and lifted, the newest first; of the last ten years. */
    async log({ limit, before }: { limit: number; before?: number }) {
      const rows = query
        .selectFrom('takedown_log')
        .select(['id', 'deed as action', ...columns])
        .orderBy('id', 'desc')
        .limit(limit);
      return (before === undefined ? rows : rows.where('id', '<', before)).execute();
    },
  };
}

/** The takedowns in memory: checked for every post. */
export type TakedownList = Awaited<ReturnType<typeof openTakedownList>>;

/** Opens the list, as it is now. @param now milliseconds since 1970 */
export async function openTakedownList(database: Kysely<Tables>, now: () => number = Date.now) {
  const query = withTakedowns(database);
  /** When each ends. */
  let names = new Map<string, number>();
  let version = '';

  const lasts = (name: string) => (names.get(name) ?? 0) > now();

  async function refresh(): Promise<boolean> {
    const { last, number } = await query
      .selectFrom('takedowns')
      .select(({ fn }) => [fn.max('id').as('last'), fn.countAll<number>().as('number')])
      .executeTakeFirstOrThrow();
    const next = `${last ?? 0}/${number}`;
    if (next === version) return false;
    const rows = await query.selectFrom('takedowns').select(['kind', 'name', 'ends_at']).execute();
    const found = new Map(
      rows.map(({ kind, name, ends_at }) => [`${kind} ${name}`, ends_at ?? Number.POSITIVE_INFINITY]),
    );
    const added = [...found].some(([name, endsAt]) => endsAt > now() && !lasts(name));
    names = found;
    version = next;
    return added;
  }

  await refresh();
  return {
    /** @param handle null while it is not known who made the post */
    has: ({
      platform,
      id,
      handle,
    }: {
      readonly platform: string;
      readonly id: string;
      readonly handle: string | null;
    }) =>
      names.size > 0 &&
      (lasts(`post ${nameOf(platform, id)}`) ||
        (handle !== null && lasts(`author ${nameOf(platform, handle.toLowerCase())}`))),
    /** Reads the list again when it has changed. @returns true when something was added */
    refresh,
  };
}

const limitMs = 60_000;

/** A text that names neither a post nor an author, or a short link that leads nowhere. */
export class NoSubject extends Error {
  override readonly name = 'NoSubject';
}

/** Extractors, opened for one question. */
interface OpenedPlatform {
  readonly extractors: readonly Extractor[];
  close(): Promise<void>;
}

/** Only the platform knows which post a short link leads to. */
async function locate(text: string, open: () => Promise<OpenedPlatform>): Promise<TakedownSubject> {
  const { extractors, close } = await open();
  try {
    const { reference } = await locatePost(text, extractors, AbortSignal.timeout(limitMs));
    return { kind: 'post', name: nameOf(reference.platform, reference.id) };
  } finally {
    await close();
  }
}

/** The post or the author that a link names. @throws NoSubject */
export async function subjectOf(text: string, open: () => Promise<OpenedPlatform>): Promise<TakedownSubject> {
  for (const { links } of platforms) {
    const handle = links.author.exec(text.trim())?.[1];
    if (handle !== undefined) return { kind: 'author', name: nameOf(links.platform, handle.toLowerCase()) };
  }
  try {
    return await locate(text, open);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    throw new NoSubject(`${text} is neither a post nor an author (${thrown.key})`, { cause: thrown });
  }
}
