import type { GrowingFile } from '../expiring-files/growing-file.ts';
import { asFailure, Failure } from '../failures.ts';
import type { ConversionStatus, ConversionWork } from './contracts.ts';
import type { ReaderPlace } from './converted-file.ts';

/** One conversion, from its first asker to its end, and who wants it. */
export interface Conversion {
  readonly work: ConversionWork;
  readonly key: string;
  readonly abort: AbortController;
  state: Exclude<ConversionStatus['state'], 'idle'>;
  error: Failure | null;
  /** There from the moment on that the length is known. */
  result: { readonly file: GrowingFile; readonly etag: string } | null;
  /** Settles when the length is known or the conversion ended without. */
  readonly opened: PromiseWithResolvers<void>;
  readonly seats: Set<Seat>;
}

/** One asker's place in a conversion. */
export interface Seat extends ReaderPlace {
  readonly visitor: string;
  /** Takes the place away: what waits or reads on it ends with this reason. */
  stop(reason: unknown): void;
  /** Never resolves; rejects when the place was taken away. */
  readonly taken: Promise<never>;
  /** Keeps the file readable for this asker, once there is one. */
  hold(): void;
}

export function createConversion(work: ConversionWork, key: string): Conversion {
  const opened = Promise.withResolvers<void>();
  // Every asker gets the failure by its own wait; that nobody may wait any more is no error.
  opened.promise.catch(() => {});
  return {
    work,
    key,
    abort: new AbortController(),
    state: 'waiting',
    error: null,
    result: null,
    opened,
    seats: new Set(),
  };
}

/** Gives a visitor a place. @param left called once, when the place is given up or taken away */
export function takeSeat(conversion: Conversion, visitor: string, left: (seat: Seat) => void): Seat {
  const taken = Promise.withResolvers<never>();
  taken.promise.catch(() => {});
  let reason: Failure | null = null;
  let release: (() => void) | null = null;

  const seat: Seat = {
    visitor,
    taken: taken.promise,
    stopped: () => reason,
    hold() {
      release ??= conversion.result?.file.hold() ?? null;
    },
    leave() {
      seat.stop(new Failure('conversion_cancelled', { note: 'left' }));
    },
    stop(why) {
      if (!conversion.seats.delete(seat)) return;
      reason = asFailure(why, 'conversion_cancelled');
      taken.reject(why);
      release?.();
      conversion.result?.file.wake();
      left(seat);
    },
  };
  conversion.seats.add(seat);
  seat.hold();
  return seat;
}

/** Whether this visitor still has a place in it. */
export function isWantedBy(conversion: Conversion, visitor: string): boolean {
  for (const seat of conversion.seats) if (seat.visitor === visitor) return true;
  return false;
}

/** Whether all bytes are there, so that nothing is left to be stopped. */
export function isMade({ result }: Conversion): boolean {
  return result !== null && result.file.available === result.file.length;
}

/** @param ahead conversions before this one, while it waits */
export function statusOf({ state, error, result }: Conversion, ahead: number | null): ConversionStatus {
  const bytes = result?.file.length ?? null;
  const available = result?.file.available ?? 0;
  return {
    state,
    ahead: state === 'waiting' ? (ahead ?? 0) : null,
    fraction: state === 'done' ? 1 : bytes === null || bytes === 0 ? 0 : available / bytes,
    bytes,
    error: state === 'failed' ? (error?.key ?? 'internal') : null,
  };
}
