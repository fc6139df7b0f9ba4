import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../contracts/database.ts';
import { keptOf, type Subject, subjects } from './subjects.ts';
import { hourMs, type Unit, unitOf } from './units.ts';

/** An amount that is added to a sum. */
export interface TallyEntry {
  readonly subject: Subject;
  readonly name: string;
  readonly detail: string;
  /** Hours since 1970. */
  readonly hour: number;
  readonly total: number;
}

/** The amounts that an instance writes at once. Its number makes sure that it is counted once, however often it is sent. */
export interface TallyBatch {
  /** A random name of the instance. */
  readonly writer: string;
  /** Grows by one from batch to batch of a writer. */
  readonly number: number;
  readonly entries: readonly TallyEntry[];
}

/** The parts of a row that sums can be told apart by. */
interface Parts {
  /** Hours, days or months since 1970. */
  readonly at: number;
  readonly name: string;
  readonly detail: string;
}

/** Selects the sums. */
export interface SumQuery<By> {
  readonly subject: Subject | readonly Subject[];
  readonly unit: Unit;
  /** Hours, days or months since 1970: the first of those that are added up, and the first that follows them. */
  readonly from: number;
  readonly before?: number;
  readonly by: readonly By[];
  readonly name?: string;
  /** The details whose share of the total is `part`. */
  readonly details?: readonly string[];
}

interface Sum {
  readonly subject: Subject;
  readonly total: number;
  readonly part: number;
  /** When the last of it was written, in milliseconds since 1970; 0 when that is not known. */
  readonly lastAt: number;
}

/** A sum by name and detail. */
export interface NamedSum extends Pick<Parts, 'name' | 'detail'>, Pick<Sum, 'subject' | 'total'> {}

/** Rows of one INSERT; both engines allow more bound values. */
const rowsAtOnce = 200;
/** A writer that has written nothing for so long has ended. */
const writerMs = 24 * hourMs;

const key = ['subject', 'unit', 'at', 'name', 'detail'] as const;

/** The rows of all units, in one order everywhere, so that two instances never wait for each other in a circle. */
function toRows(entries: readonly TallyEntry[], time: number): Tables['tally'][] {
  const rows = new Map<string, Tables['tally']>();
  for (const { hour, total, ...entry } of entries)
    for (const [unit] of keptOf(entry.subject)) {
      const at = unitOf(unit, hour * hourMs);
      const name = [unit, entry.subject, at, entry.name, entry.detail].join('\n');
      rows.set(name, { ...entry, unit, at, total: total + (rows.get(name)?.total ?? 0), last_at: time });
    }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

/** With nothing to look for there is no part, and no statement may say "in ()". */
const partOf = (details: readonly string[]) =>
  details.length === 0
    ? sql<number>`0`
    : sql<number>`sum(case when detail in (${sql.join(details)}) then total else 0 end)`;

/** @param query a transaction, where what is added belongs to one @param now milliseconds since 1970 */
export function createTallyStore(query: Kysely<Tables>, now: () => number) {
  async function add(to: Kysely<Tables>, entries: readonly TallyEntry[]): Promise<void> {
    const rows = toRows(entries, now());
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      // SQLite runs in this thread: visitors have their turn between statements.
      if (from > 0) await nextTurn();
      await to
        .insertInto('tally')
        .values(rows.slice(from, from + rowsAtOnce))
        .onConflict((conflict) =>
          conflict.columns(key).doUpdateSet(({ ref }) => ({
            total: sql`tally.total + excluded.total`,
            last_at: ref('excluded.last_at'),
          })),
        )
        .execute();
    }
  }

  async function sumsOf<By extends keyof Parts>(
    subject: Subject,
    { unit, from, before, by, name, details = [] }: SumQuery<By>,
  ): Promise<readonly (Pick<Parts, By> & Sum)[]> {
    const parts: readonly (keyof Parts)[] = by;
    const rows = await query
      .selectFrom('tally')
      .select(({ fn }) => [
        ...parts,
        fn.sum<number | null>('total').as('total'),
        partOf(details).as('part'),
        fn.max<number | null>('last_at').as('lastAt'),
      ])
      .where('subject', '=', subject)
      .where('unit', '=', unit)
      .where('at', '>=', from)
      .$if(before !== undefined, (some) => some.where('at', '<', before ?? from))
      .$if(name !== undefined, (some) => some.where('name', '=', name ?? ''))
      .$if(parts.length > 0, (some) => some.groupBy(parts))
      .execute();
    // A year has thousands of rows: each is completed in place.
    return rows.map((row) =>
      Object.assign(row as Pick<Parts, By>, {
        subject,
        total: Number(row.total),
        part: Number(row.part),
        lastAt: Number(row.lastAt),
      }),
    );
  }

  async function sums<By extends keyof Parts>(asked: SumQuery<By>) {
    const found: (Pick<Parts, By> & Sum)[] = [];
    for (const subject of [asked.subject].flat()) {
      // Here as well: each reading is of one subject.
      await nextTurn();
      found.push(...(await sumsOf(subject, asked)));
    }
    return found;
  }

  return {
    /** Adds a batch, once. @returns false when it was written before */
    write: ({ writer, number, entries }: TallyBatch) =>
      query.transaction().execute(async (transaction) => {
        const row = { number, written_at: now() };
        const taken = await transaction
          .insertInto('tally_writers')
          .values({ writer, ...row })
          .onConflict((conflict) =>
            conflict.column('writer').doUpdateSet(row).where('tally_writers.number', '<', number),
          )
          .returning('number')
          .executeTakeFirst();
        if (taken !== undefined) await add(transaction, entries);
        return taken !== undefined;
      }),

    /** Adds at once: in a transaction, with everything else that it does. */
    add: (entries: readonly TallyEntry[]) => add(query, entries),

    /**
     * Takes one of what an hour has, atomically for all instances.
     * @returns the number taken, including this one; null when none is left
     */
    async take(name: string, most: number) {
      if (most <= 0) return null;
      const place = {
        subject: 'limited',
        unit: 'hour',
        at: unitOf('hour', now()),
        name,
        detail: '',
      } as const;
      const row = await query
        .insertInto('tally')
        .values({ ...place, total: 1, last_at: now() })
        .onConflict((conflict) =>
          conflict
            .columns(key)
            .doUpdateSet({ total: sql<number>`tally.total + 1` })
            .where('tally.total', '<', most),
        )
        .returning('total')
        .executeTakeFirst();
      return row === undefined ? null : Number(row.total);
    },

    /** Adds up from a time on: one sum of each subject for each combination of some parts, in any order. */
    sums,

    /** Adds up everything from a time on. */
    total: async (query: Omit<SumQuery<never>, 'by' | 'details'>) =>
      (await sums({ ...query, by: [] }))[0]?.total ?? 0,

    /** Deletes what is older than its subject is kept. */
    async expire() {
      for (const subject of Object.keys(subjects) as Subject[])
        for (const [unit, most] of keptOf(subject))
          if (Number.isFinite(most))
            await query
              .deleteFrom('tally')
              .where('subject', '=', subject)
              .where('unit', '=', unit)
              .where('at', '<', unitOf(unit, now()) - most)
              .execute();
      await query
        .deleteFrom('tally_writers')
        .where('written_at', '<', now() - writerMs)
        .execute();
    },
  };
}

/** The sums of all instances together. */
export type TallyStore = ReturnType<typeof createTallyStore>;
