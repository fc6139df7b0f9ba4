/** What the worker is started with. */
export interface VideoOrder {
  /** Address of the parts on this site. */
  readonly parts: string;
}

/** What the worker says: any number of times how far it is, and then the file, or why there is none. */
export type FromWorker =
  /** @param fraction of the work that is done, from 0 to 1 */
  | { readonly type: 'progress'; readonly fraction: number }
  | {
      readonly type: 'done';
      readonly name: string;
      readonly bytes: ArrayBuffer;
      /** Whether the video lacks the post's sound. */
      readonly isSoundLost: boolean;
      /** Pictures of the post that are not in the video. */
      readonly missingPictures: number;
    }
  | { readonly type: 'failed'; readonly note: string };
