import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Tables } from '../../../stores/contracts/database.ts';
import type { Counted } from '../../../web/server/parts.ts';

type Sum = Selectable<Tables['daily_sums']>;

/** A day as sums name it, in UTC. @param time milliseconds since 1970 */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const keys = ['day', 'subject', 'page', 'name', 'detail', 'locale', 'device'] as const;

/** Parts are words without this character. */
const separator = '\n';

const nameOf = (day: string, { subject, page, name, detail, locale, device }: Counted) =>
  [day, subject, page, name, detail, locale, device].join(separator);

/** Sums that wait for being written. */
export interface WaitingSums {
  add(day: string, counted: Counted, times?: number): void;
  readonly size: number;
  /** All waiting sums, in the same order everywhere, which prevents deadlocks between instances. */
  take(): readonly Sum[];
  /** Puts back what could not be written. */
  putBack(sums: readonly Sum[]): void;
}

/**
 * @param most limit of different sums; forged events must not fill the memory
 * @param onFull called for each event without room
 */
export function createWaitingSums(
  most = Number.POSITIVE_INFINITY,
  onFull: () => void = () => {},
): WaitingSums {
  let waiting = new Map<string, number>();
  const add = (name: string, times: number) => {
    const before = waiting.get(name);
    if (before === undefined && waiting.size >= most) onFull();
    else waiting.set(name, (before ?? 0) + times);
  };
  return {
    add: (day, counted, times = 1) => add(nameOf(day, counted), times),
    get size() {
      return waiting.size;
    },
    take() {
      const taken = [...waiting].sort(([one], [other]) => (one < other ? -1 : 1));
      waiting = new Map();
      return taken.map(([name, total]) => toSum(name, total));
    },
    putBack(sums) {
      for (const { total, ...parts } of sums) add(keys.map((key) => parts[key]).join(separator), total);
    },
  };
}

function toSum(text: string, total: number): Sum {
  const [day = '', subject = '', page = '', name = '', detail = '', locale = '', device = ''] =
    text.split(separator);
  return { day, subject, page, name, detail, locale, device, total };
}

/** Rows per statement: PostgreSQL and SQLite accept more values than these have. */
export const rowsAtOnce = 200;

/** Adds to the stored sums. */
export async function writeSums(
  query: Kysely<Tables> | Transaction<Tables>,
  sums: readonly Sum[],
): Promise<void> {
  for (let at = 0; at < sums.length; at += rowsAtOnce)
    await query
      .insertInto('daily_sums')
      .values(sums.slice(at, at + rowsAtOnce))
      .onConflict((conflict) =>
        conflict.columns(keys).doUpdateSet({ total: sql`daily_sums.total + excluded.total` }),
      )
      .execute();
}
