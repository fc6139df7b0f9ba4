import { Failure } from '../../failures/failures.ts';
import type { TicketConversion } from '../tickets/ticket-file.ts';
import { type Conversion, setMade, setState } from './conversion.ts';
import { type FileTarget, failConversion, fillConversion } from './fill-conversion.ts';
import type { FileMaker } from './source.ts';

/** The outcome of a run. */
export interface ConversionEnd {
  readonly outcome: 'done' | 'failed' | 'cancelled';
  /** Time since the run started, without the wait before it. */
  readonly seconds: number;
  readonly failure: Failure | null;
  /** Whether a later caller finds the file. */
  readonly kept: boolean;
}

/** Observes runs, for metrics and the log. */
export interface RunObserver {
  /** Conversions that run now. */
  running(count: number): void;
  ended(end: ConversionEnd & { readonly work: TicketConversion }): void;
  /** Reports an error that no caller sees, such as a file that could not be closed. */
  error(error: unknown): void;
}

export interface ConversionRunnerOptions {
  readonly maker: FileMaker;
  readonly target: FileTarget;
  /** A conversion that takes longer ends with `conversion_timeout`; a long file gets more ({@link longFileMs}). */
  readonly maxDurationMs?: number;
  /** ms since any moment */
  readonly now: () => number;
  readonly observer: RunObserver;
}

/** Runs conversions on this machine. The caller limits how many run at once. */
export interface ConversionRunner {
  /**
   * Makes the file of a conversion; readers get the bytes as they are written. Never rejects.
   * @param visitor the visitor it is accounted to
   * @param fast true under overload: speed is preferred to quality
   */
  run(conversion: Conversion, visitor: string, fast: boolean): Promise<ConversionEnd>;
}

/** Time that the length of a file adds to the limit, in ms: an mp3 is made at least four times as fast as it plays. */
const longFileMs = (bytes: number) => bytes / 64;

const outcomeOf = (failure: Failure | null): ConversionEnd['outcome'] =>
  failure === null ? 'done' : failure.key === 'conversion_cancelled' ? 'cancelled' : 'failed';

export function createConversionRunner({
  maker,
  target,
  maxDurationMs = 10 * 60_000,
  now,
  observer,
}: ConversionRunnerOptions): ConversionRunner {
  let running = 0;

  async function make(conversion: Conversion, visitor: string, fast: boolean): Promise<boolean> {
    const { work, abort } = conversion;
    const giveUp = () => abort.abort(new Failure('conversion_timeout'));
    let limit = setTimeout(giveUp, maxDurationMs).unref();
    try {
      const progress = (fraction: number) => setMade(conversion, fraction);
      const file = await maker.prepare({ work, visitor, fast, signal: abort.signal, progress });
      clearTimeout(limit);
      limit = setTimeout(giveUp, maxDurationMs + longFileMs(file.length)).unref();
      return await fillConversion(conversion, file, target).finally(file.release);
    } finally {
      clearTimeout(limit);
    }
  }

  async function runToEnd(conversion: Conversion, visitor: string, fast: boolean): Promise<ConversionEnd> {
    const startedAt = now();
    conversion.made = 0;
    setState(conversion, conversion.result === null ? 'reading' : 'converting');
    let failure: Failure | null = null;
    let kept = false;
    try {
      kept = await make(conversion, visitor, fast);
    } catch (thrown) {
      failure = await failConversion(conversion, thrown, observer.error);
    }
    return { outcome: outcomeOf(failure), seconds: (now() - startedAt) / 1000, failure, kept };
  }

  return {
    async run(conversion, visitor, fast) {
      observer.running(++running);
      const end = await runToEnd(conversion, visitor, fast);
      observer.running(--running);
      observer.ended({ ...end, work: conversion.work });
      return end;
    },
  };
}
