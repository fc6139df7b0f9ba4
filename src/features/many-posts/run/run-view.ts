import type { RunPost } from './run-types.ts';

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
