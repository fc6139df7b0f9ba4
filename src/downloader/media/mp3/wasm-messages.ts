/** To a worker: one encoding at a time, `start` first, then the sound, then `end`. */
export type ToWorker =
  | { readonly type: 'start'; readonly sampleRate: number; readonly channels: 1 | 2 }
  | { readonly type: 'frames'; readonly bytes: Uint8Array }
  | { readonly type: 'end' };

/** From a worker: `ready` once, one `mp3` (perhaps empty) for each `frames`, then `done` or `failed`. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'mp3'; readonly bytes: Uint8Array }
  /** `decoded` of `frames` gave sound; the others are silence. */
  | { readonly type: 'done'; readonly bytes: Uint8Array; readonly frames: number; readonly decoded: number }
  | { readonly type: 'failed'; readonly note: string };
