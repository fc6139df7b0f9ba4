import type { Failure } from '../../failures/failures.ts';
import {
  type ConversionState,
  isFinal,
  type OwnedConversion,
} from '../../stores/contracts/conversion-store.ts';
import type { GrowingFile } from '../expiring-files/growing-file.ts';
import type { TicketConversion } from '../tickets/ticket-file.ts';
import { lacksOf } from './lacks.ts';
import { createReaders, type Readers } from './readers.ts';

/** One conversion of this instance, from its first reader to its end. */
export interface Conversion {
  readonly work: TicketConversion;
  readonly key: string;
  readonly abort: AbortController;
  readonly readers: Readers;
  /** Resolves with false when the file was finished a moment ago and nothing remains to be made. */
  claimed: Promise<boolean>;
  /** Its part in the store, once it has one. */
  owned: OwnedConversion | null;
  state: ConversionState['state'];
  /** Progress from 0 to 1 of a file whose length is known only at the end. */
  made: number;
  readonly reportProgress: (fraction: number) => void;
  /** Number of conversions before this one on another worker; null when it does not wait there. */
  aheadElsewhere: number | null;
  error: Failure | null;
  /** There from the moment on that the length is known. */
  result: { readonly file: GrowingFile; readonly etag: string } | null;
  /** Settles when the length is known or the conversion ended without. */
  readonly opened: PromiseWithResolvers<void>;
}

/**
 * A conversion that waits in the queue.
 * @param key names its file, see `fileKey`
 * @param reportProgress called with the finished fraction, see `setMade`
 */
export function createConversion(
  work: TicketConversion,
  key: string,
  reportProgress: Conversion['reportProgress'] = () => {},
): Conversion {
  const opened = Promise.withResolvers<void>();
  // Every reader receives the failure through its own wait; without readers the rejection is not an error.
  opened.promise.catch(() => {});
  return {
    work,
    key,
    abort: new AbortController(),
    readers: createReaders(),
    claimed: Promise.resolve(false),
    owned: null,
    state: 'waiting',
    made: 0,
    reportProgress,
    aheadElsewhere: null,
    error: null,
    result: null,
    opened,
  };
}

/** Changes the state, here and at once in the store. */
export function setState(conversion: Conversion, state: Conversion['state']): void {
  conversion.state = state;
  conversion.owned?.changed(true);
}

/** It left this queue and waits on another worker; null when it no longer waits. */
export function setWaits(conversion: Conversion, ahead: number | null): void {
  if (conversion.aheadElsewhere === ahead) return;
  conversion.aheadElsewhere = ahead;
  conversion.owned?.changed(true);
}

/** It is being made, and is so far. @param fraction from 0 to 1 */
export function setMade(conversion: Conversion, fraction: number): void {
  if (isFinal(conversion) || conversion.result !== null || fraction <= conversion.made) return;
  conversion.made = fraction;
  conversion.reportProgress(fraction);
  conversion.aheadElsewhere = null;
  if (conversion.state === 'converting') conversion.owned?.changed(false);
  else setState(conversion, 'converting');
}

/** The file is known well enough to be read from. */
export function openFile(conversion: Conversion, file: GrowingFile, etag: string): void {
  conversion.result = { file, etag };
  conversion.readers.give(file);
  conversion.opened.resolve();
  conversion.aheadElsewhere = null;
  setState(conversion, 'converting');
}

/** Whether all bytes are present, so that nothing remains to be stopped. */
export function isMade({ result }: Conversion): boolean {
  return result !== null && result.file.available === result.file.length;
}

/** @param ahead conversions before this one, while it waits */
export function stateOf(
  { state: stateHere, aheadElsewhere, error, made, result }: Conversion,
  ahead: number | null,
): ConversionState {
  const state = stateHere === 'reading' && aheadElsewhere !== null ? 'waiting' : stateHere;
  const bytes = result?.file.length ?? null;
  const available = result?.file.available ?? 0;
  return {
    state,
    ahead: state === 'waiting' ? (aheadElsewhere ?? ahead ?? 0) : null,
    fraction: state === 'done' ? 1 : Math.max(made, bytes === null || bytes === 0 ? 0 : available / bytes),
    bytes,
    error: state === 'failed' ? (error?.key ?? 'internal') : null,
    ...(result !== null && lacksOf(result.etag)),
  };
}
