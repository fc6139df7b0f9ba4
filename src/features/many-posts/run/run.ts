import type { ErrorResponse } from '../../../site/api.ts';
import { remedyFor } from '../../../site/pages/tool/link-box/remedy.ts';
import type { ChosenPost } from '../worker/messages.ts';

/** The formats that are saved of each post. */
export type RunFormat = 'mp4' | 'mp3' | 'both';

/** Saving many posts: what was chosen, and where it goes. */
export interface Run {
  /** ms since the epoch. */
  readonly begunAt: number;
  readonly format: RunFormat;
  /** The folder that files are written to; null for zips. */
  readonly folder: FileSystemDirectoryHandle | null;
  /** Name of the folder in it, and of the zips without their numbers. */
  readonly name: string;
  /** Zips handed to the browser. */
  readonly zips: number;
  /** How files are named; null for the usual names. */
  readonly template: string | null;
}

/** One post of a run, and what became of it. */
export interface RunPost extends ChosenPost {
  /** Its place in the run, from 1 on. */
  readonly n: number;
  readonly state: 'waiting' | 'saved' | 'failed' | 'skipped';
  /** Tries that failed. */
  readonly tries: number;
  /** Stable key of its last failure. */
  readonly reason?: string;
  /** The failure in the visitor's language. */
  readonly message?: string;
  readonly id?: string;
  readonly author?: string;
  readonly text?: string;
  /** ISO 8601. */
  readonly postedAt?: string | null;
  /** Paths of its files. */
  readonly files: readonly string[];
  /** Sum of its files. */
  readonly bytes: number;
  /** The place of another post of the run that is the same, and has the files. */
  readonly sameAs?: number;
  /** The number of the zip that they are in. */
  readonly zip?: number;
}

/** A file that a target has taken. */
export interface SavedFile {
  readonly path: string;
  readonly size: number;
  /** Left out where it is in its place already. */
  readonly bytes?: Blob;
}

/** A post as it was chosen. */
export const waitingPost = (post: ChosenPost, at: number): RunPost => ({
  ...post,
  ...{ n: at + 1, state: 'waiting', tries: 0, files: [], bytes: 0 },
});

/** Whether another try may have another end. */
export const isTemporary = ({ state, reason = '' }: RunPost): boolean =>
  state === 'failed' && remedyFor(reason) === 'retry';

/** Whether nothing of a run is left to save, or to hand to the browser. */
export const isComplete = ({ folder }: Run, posts: readonly RunPost[]): boolean =>
  posts.every((post) => {
    if (post.state === 'failed') return !isTemporary(post);
    return post.state === 'saved' && (folder !== null || post.files.length === 0 || post.zip !== undefined);
  });

/** Why a run stands still until somebody does something about it. */
export type PauseReason = 'asked' | 'storage' | 'folder' | 'broken';

/** Why a run waits by itself, and until when (ms since the epoch). */
export interface Hold {
  readonly until: number;
  /** In the visitor's language; null without a connection. */
  readonly message: string | null;
}

/** A run as it is now. */
export interface RunView {
  readonly phase: 'running' | 'paused' | 'settling' | 'done';
  readonly why: PauseReason | null;
  readonly hold: Hold | null;
  readonly posts: readonly RunPost[];
  /** Posts that are being saved. */
  readonly active: readonly RunPost[];
}

/** The site's refusal in place of a post or a file. */
export class Refusal extends Error {
  readonly error: ErrorResponse['error'];

  constructor(error: ErrorResponse['error']) {
    super(error.key);
    this.error = error;
  }
}

/** Limits of the site, and states of it. */
const ofSite: ReadonlySet<string> = new Set([
  ...['rate_limited', 'downloads_limited', 'queue_full', 'overloaded', 'stopping', 'unavailable'],
]);

/** Whether a failure is the site's: the post is not to blame. @param key its stable key */
export const isOfSite = (key: string): boolean => ofSite.has(key);

/** Files that cannot be written: the folder is gone, or may no longer be written to. */
const ofFolder: ReadonlySet<string> = new Set([
  ...['NotFoundError', 'NotAllowedError', 'InvalidStateError', 'NoModificationAllowedError'],
]);

/** Classifies an error: of the line, of the device, or of this program (`broken`). */
export function troubleOf(thrown: unknown): PauseReason | 'line' {
  const name = thrown instanceof DOMException ? thrown.name : '';
  if (name === 'QuotaExceededError') return 'storage';
  if (ofFolder.has(name)) return 'folder';
  // A connection that broke off, or a response that nobody can read.
  const isLine = thrown instanceof TypeError || thrown instanceof SyntaxError || name === 'NetworkError';
  return isLine ? 'line' : 'broken';
}
