import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Tables } from '../../../stores/contracts/database.ts';
import type { Counted } from '../../../web/server/parts.ts';

type Sum = Selectable<Tables['daily_sums']>;

/** A day as sums name it, in UTC. @param time milliseconds since 1970 */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const keys = ['day', 'subject', 'page', 'name', 'detail', 'locale', 'device'] as const;

/** Parts are words that hold no such sign. */
const separator = '\n';

const nameOf = (day: string, { subject, page, name, detail, locale, device }: Counted) =>
  [day, subject, page, name, detail, locale, device].join(separator);

/** Sums that wait for being written. */
export interface WaitingSums {
  add(day: string, counted: Counted, times?: number): void;
  readonly size: number;
  /** Everything that waits, in one order everywhere, so that two instances never wait for each other in a circle. */
  take(): readonly Sum[];
  /** Puts back what could not be written. */
  putBack(sums: readonly Sum[]): void;
}

/**
 * @param most different sums; what is made up by programs must not fill the memory
 * @param onFull told of each that found no room
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

/** So many rows a statement writes: PostgreSQL and SQLite take more values in one than these have. */
export const rowsAtOnce = 200;

/** Adds to the sums that are kept. */
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
