import { useSyncExternalStore } from 'react';
import type { ConversionAnswer, DownloadOption, ResolveResult } from '../../api.ts';
import type { Arrival } from './arrival.ts';

/** How a conversion is doing. */
export type ConversionStatus = ConversionAnswer['result'];

/** One file of a post, as a visitor chose it. */
export interface WantedFile {
  readonly post: ResolveResult['post'];
  readonly option: DownloadOption;
}

/** Names a file among all that a visitor may ask for. */
export const fileKey = ({ post, option }: WantedFile) => `${post.id}/${option.id}`;

/** A file that a visitor asked for, as far as the page knows it. */
export interface Download {
  readonly file: WantedFile;
  /** `started`: the browser has it. */
  readonly phase: 'preparing' | 'started' | 'failed' | 'cancelled';
  /** How its conversion is doing; null for what is not converted, and before anything was heard. */
  readonly conversion: ConversionStatus | null;
  /** How the file gets on that the browser has, as far as the server can tell; null for what is not known. */
  readonly arrival?: Arrival | null;
  /** Why it failed, in the visitor's language; null when the server could not be reached. */
  readonly message: string | null;
  /** Its stable key; null when it has not failed, or the server could not be reached. */
  readonly failureKey: string | null;
  /** When another try makes sense, ms since the epoch; null for at once. */
  readonly retryAt: number | null;
}

type Downloads = ReadonlyMap<string, Download>;

const none: Downloads = new Map();
/** Those of every post since the page was loaded: they go on while the visitor looks at another one. */
let downloads: Downloads = none;
const listeners = new Set<() => void>();

/** Every download of this page, by {@link fileKey}. */
export const presentDownloads = () => downloads;

/** Puts other downloads in their place. */
export function showDownloads(next: Downloads): void {
  downloads = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** {@link presentDownloads}, at each change. */
export const useDownloads = (): Downloads => useSyncExternalStore(subscribe, presentDownloads, () => none);

/** Calls back at each change of a download. @returns ends it */
export function watchDownloads(listener: (all: readonly Download[]) => void): () => void {
  return subscribe(() => listener([...downloads.values()]));
}

const ended: ReadonlySet<string> = new Set(['done', 'failed', 'cancelled']);

/** True when a conversion will not change any more. */
export function hasEnded({ state }: ConversionStatus): boolean {
  return ended.has(state);
}

/** Whether a file is being converted, or waits for it. */
export function isConverting({ file, phase, conversion }: Download): boolean {
  if (file.option.status_href === undefined || (phase !== 'preparing' && phase !== 'started')) return false;
  return phase === 'preparing' || (conversion !== null && !hasEnded(conversion));
}
