/** What the worker is started with: addresses on this site, and when it has to give up. */
export interface EncodeOrder {
  readonly frames: string;
  /** LAME's WebAssembly. */
  readonly lame: string;
  /** Seconds of sound that are encoded in a second at least. */
  readonly leastSpeed: number;
}

/** What the worker says: `began` first, then the file, then `done`; or one of the others at any time, and nothing after it. */
export type FromWorker =
  | { readonly type: 'began'; readonly name: string; readonly bytes: number }
  /** It is fast enough. */
  | { readonly type: 'proven' }
  | { readonly type: 'mp3'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'done' }
  /** The server has the file, or it is none for devices. */
  | { readonly type: 'declined' }
  | { readonly type: 'slow' }
  | { readonly type: 'failed'; readonly note: string };
