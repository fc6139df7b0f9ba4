import type { Locale } from '../../../i18n/languages.ts';
import type { ErrorResponse } from '../../api.ts';
import type { ConversionStatus, RequestedFile } from './downloads.ts';

/** Why a file is not made, in the page's language. */
export type Refused = ErrorResponse['error'];

/** The parts that a slideshow's video lacks. */
type Lacks = Pick<ConversionStatus, 'no_sound' | 'missing_photos'>;

/** An order for a file that the browser makes. */
export interface BrowserOrder {
  readonly file: RequestedFile;
  readonly locale: Locale;
  /** Address of the file on this site. */
  readonly href: string;
  readonly signal: AbortSignal;
  /**
   * Called when this browser has proved fast enough: the server need not keep the file's place in its queue.
   */
  proven(): void;
  /**
   * Reports progress.
   * @param fraction made so far, from 0 to 1
   */
  progress(fraction: number): void;
  /** Called with the parts that the file lacks because they are unavailable or unreadable. */
  lacks(what: Lacks): void;
}

/** Makes converted files in the browser, in the server's place. */
export interface BrowserMaker {
  /** Number of conversions ahead at the server from which on this maker is used; 0 for always. */
  readonly ahead: number;
  /** Whether it may make a file. */
  makes(file: RequestedFile): boolean;
  /**
   * @returns the file, or the reason for having none; null if the server must make it or give the reason
   * @throws any error: the server makes the file then
   */
  make(order: BrowserOrder): Promise<File | Refused | null>;
}

const makers = new Set<BrowserMaker>();

/**
 * Registers a maker.
 * @returns a function that removes it
 */
export function provideBrowserMaker(given: BrowserMaker): () => void {
  makers.add(given);
  return () => void makers.delete(given);
}

/** The maker of a file in this browser; null where only the server makes it. */
export const browserMakerOf = (file: RequestedFile): BrowserMaker | null =>
  [...makers].find((maker) => maker.makes(file)) ?? null;
