import { changeManyPosts as change } from '../../../site/browser/device/many-posts.ts';
import type { Run, RunPost, SavedFile } from './run.ts';

/** Takes the files and texts that were handed over out of the inbox. */
export async function takeFromInbox(): Promise<(Blob | string)[]> {
  const all = await change(['inbox'], (store) => {
    const request = store('inbox').getAll() as IDBRequest<(Blob | string)[]>;
    store('inbox').clear();
    return request;
  });
  return all.result;
}

const putAtOnce = 250;

/** Puts posts in one transaction, some at a time: a slow phone's page answers between two of them. */
function putAll(store: IDBObjectStore, posts: readonly RunPost[]): void {
  const puts = posts.slice(0, putAtOnce).map((post) => store.put(post));
  puts.at(-1)?.addEventListener('success', () => putAll(store, posts.slice(putAtOnce)));
}

/** A run on this device; all of it survives a reload. */
export const runStore = {
  async load(): Promise<{ run: Run; posts: RunPost[] } | null> {
    const [run, posts] = await change(['run', 'posts'], (store) => [
      store('run').get('run') as IDBRequest<Run | undefined>,
      store('posts').getAll() as IDBRequest<RunPost[]>,
    ]);
    return run.result === undefined ? null : { run: run.result, posts: posts.result };
  },

  begin: (run: Run, posts: readonly RunPost[]): Promise<void> =>
    change(['run', 'posts', 'files'], (store) => {
      store('posts').clear();
      store('files').clear();
      store('run').put(run, 'run');
      putAll(store('posts'), posts);
    }),

  /** Notes what became of a post, with its files that wait for their zip. */
  put: (post: RunPost, files: readonly SavedFile[] = []): Promise<void> =>
    change(['posts', 'files'], (store) => {
      for (const { path, bytes } of files) if (bytes !== undefined) store('files').put(bytes, path);
      store('posts').put(post);
    }),

  async file(path: string): Promise<Blob> {
    const request = await change(['files'], (store) => store('files').get(path) as IDBRequest<Blob>);
    return request.result;
  },

  /** Notes that a zip was handed to the browser. */
  zipped: (run: Run, posts: readonly RunPost[]): Promise<void> =>
    change(['run', 'posts', 'files'], (store) => {
      store('run').put(run, 'run');
      for (const post of posts) {
        store('posts').put(post);
        for (const path of post.files) store('files').delete(path);
      }
    }),

  async remove(): Promise<void> {
    await change(['run', 'posts', 'files'], (store) => {
      for (const name of ['run', 'posts', 'files'] as const) store(name).clear();
    });
    // The last zip; of a run into a folder there is none.
    const files = await navigator.storage?.getDirectory?.();
    await files?.removeEntry('many-posts', { recursive: true }).catch((thrown: unknown) => {
      if (!(thrown instanceof DOMException)) throw thrown;
    });
  },
};

/** The notes of a run on the device. */
export type RunStore = typeof runStore;
