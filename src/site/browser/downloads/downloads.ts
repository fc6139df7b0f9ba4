import type { ConversionResponse, DownloadOption, ResolveResult } from '../../api.ts';
import { createStore } from '../store.ts';
import type { Arrival } from './hand-over.ts';

/** The state of a conversion. */
export type ConversionStatus = ConversionResponse['result'];

/** One file of a post, as a visitor chose it. */
export interface RequestedFile {
  readonly post: ResolveResult['post'];
  readonly option: DownloadOption;
  /** For a zip of several posts: status addresses of its converted files, in the zip's order. */
  readonly parts?: readonly string[];
}

/** Identifies a file among all that a visitor may request. */
export const fileKey = ({ post, option }: RequestedFile) => `${post.id}/${option.id}`;

/** A file that a visitor requested, and its known state. */
export interface Download {
  readonly file: RequestedFile;
  /** `started`: the browser has it. */
  readonly phase: 'preparing' | 'started' | 'failed' | 'cancelled';
  /** The state of its conversion; null for files without one, and before the first event. */
  readonly conversion: ConversionStatus | null;
  /** The progress of the browser's transfer as the server sees it; null when unknown. */
  readonly arrival?: Arrival | null;
  /** Bytes that the server has sent; absent until known. */
  readonly bytes?: number;
  /** Photos that a zip lacks; absent when there are none, and until known. */
  readonly missingPhotos?: number;
  /** The file's name, once it can be fetched. */
  readonly name?: string;
  /** Why it failed, in the visitor's language; null when the server could not be reached. */
  readonly message: string | null;
  /** Its stable key; null when it has not failed, or the server could not be reached. */
  readonly failureKey: string | null;
  /** When another try makes sense, ms since the epoch; null for at once. */
  readonly retryAt: number | null;
}

type Downloads = ReadonlyMap<string, Download>;

/** Downloads of every post since the page was loaded: they continue while the visitor looks at another one. */
const downloads = createStore<Downloads>(new Map());

/** Every download of this page, by {@link fileKey}. */
export const presentDownloads = downloads.get;

/** Replaces all downloads. */
export const showDownloads = downloads.set;

/** {@link presentDownloads}, at each change. */
export const useDownloads = downloads.use;

/**
 * Calls back at each change of a download.
 * @returns a function that ends it
 */
export function watchDownloads(listener: (all: readonly Download[]) => void): () => void {
  return downloads.subscribe(() => listener([...downloads.get().values()]));
}

const ended: ReadonlySet<string> = new Set(['done', 'failed', 'cancelled']);

/** True when a conversion's state is final. */
export function hasEnded({ state }: ConversionStatus): boolean {
  return ended.has(state);
}

/** Whether a file is made, by the server or here: then there is progress to watch and something to cancel. */
export const isConversion = ({ file, conversion }: Pick<Download, 'file' | 'conversion'>): boolean =>
  file.option.status_href !== undefined || conversion !== null;

/** Whether a file was transferred completely, as far as known. */
export const hasArrived = ({ phase, arrival }: Download): boolean =>
  phase === 'started' && arrival === 'saved';

/** Whether a file is being converted, or waits for it. */
export function isConverting(download: Download): boolean {
  const { phase, conversion, arrival } = download;
  if (
    arrival === 'broken' ||
    arrival === 'saved' ||
    !isConversion(download) ||
    (phase !== 'preparing' && phase !== 'started')
  )
    return false;
  return phase === 'preparing' || (conversion !== null && !hasEnded(conversion));
}
