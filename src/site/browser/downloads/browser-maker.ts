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
  /** Told when it is fast enough here, so that the server need not keep a place for the file. */
  proven(): void;
  /** @param fraction of the file that is made, from 0 to 1 */
  progress(fraction: number): void;
  /** Told what the file is made without, since it cannot be had or read. */
  lacks(what: Lacks): void;
}

/** Makes converted files in the browser, in the server's place. */
export interface BrowserMaker {
  /** Conversions before the visitor's own at the server from which on it is asked; 0 for always. */
  readonly ahead: number;
  /** Whether it may be asked for a file. */
  makes(file: RequestedFile): boolean;
  /**
   * @returns the file, or why there is none; null where the server has to make it, or to say why there is none. What it
   *   throws is its own: the server is asked then.
   */
  make(order: BrowserOrder): Promise<File | Refused | null>;
}

const makers = new Set<BrowserMaker>();

/** Gives the pages something that makes files. @returns takes it away again */
export function provideBrowserMaker(given: BrowserMaker): () => void {
  makers.add(given);
  return () => void makers.delete(given);
}

/** The maker of a file in this browser; null where only the server makes it. */
export const browserMakerOf = (file: RequestedFile): BrowserMaker | null =>
  [...makers].find((maker) => maker.makes(file)) ?? null;
