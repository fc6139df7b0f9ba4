import type { Subject } from './subjects.ts';
import { hourMs } from './units.ts';

/** One sum of an hour. */
export interface HourFigure {
  /** Hours since 1970. */
  readonly hour: number;
  readonly subject: Subject;
  readonly name: string;
  readonly detail: string;
  readonly total: number;
}

/** Names hold no such sign. */
const separator = '\n';

/** More different sums than an hour of any site has; what is beyond is dropped, and counted. */
const mostSums = 5000;

/** Sums that wait for being written. */
export interface WaitingFigures {
  add(subject: Subject, name: string, detail?: string, times?: number): void;
  readonly size: number;
  /** Everything that waits, in one order everywhere, so that two instances never wait for each other in a circle. */
  take(): readonly HourFigure[];
}

/**
 * @param now milliseconds since 1970
 * @param onFull told of each that found no room
 */
export function createWaitingFigures(
  now: () => number,
  { most = mostSums, onFull = () => {} }: { readonly most?: number; readonly onFull?: () => void } = {},
): WaitingFigures {
  let waiting = new Map<string, number>();
  return {
    add(subject, name, detail = '', times = 1) {
      const key = [subject, Math.floor(now() / hourMs), name, detail].join(separator);
      const before = waiting.get(key);
      if (before === undefined && waiting.size >= most) onFull();
      else waiting.set(key, (before ?? 0) + times);
    },
    get size() {
      return waiting.size;
    },
    take() {
      const taken = [...waiting].sort(([one], [other]) => (one < other ? -1 : 1));
      waiting = new Map();
      return taken.map(([key, total]) => {
        const [subject = '', hour = '', name = '', detail = ''] = key.split(separator);
        return { subject: subject as Subject, hour: Number(hour), name, detail, total };
      });
    },
  };
}
