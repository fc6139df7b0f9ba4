import type { Post } from '../../post/post.ts';
import { fileOf } from './post/media-addresses.ts';

/** The embed page is asked beside one post in so many that the page gave. */
const compareEvery = 100;
const mostRemembered = 100;

/** Told of each comparison. */
export type EmbedCompared = (event: { readonly id: string; readonly isSame: boolean }) => void;

/**
 * Watches whether the file of the embed page is one of the post's page, which are without watermark. As soon as one is
 * not, those of the embed page may all carry it.
 */
export class EmbedMark {
  readonly #compared: EmbedCompared;
  /** The addresses of the page's files, by post. */
  readonly #pages = new Map<string, readonly string[]>();
  #read = 0;
  #isMarked = false;

  constructor(compared: EmbedCompared) {
    this.#compared = compared;
  }

  /** Takes note of the addresses of all of a post's files on its page, also of those that are not offered. */
  page(id: string, urls: readonly string[]): void {
    if (urls.length === 0) return;
    this.#pages.delete(id);
    this.#pages.set(id, urls);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > mostRemembered && oldest !== undefined) this.#pages.delete(oldest);
  }

  /** Counts a post that the page gave. @returns whether it is time to compare it with the embed page */
  isDue({ id }: Post): boolean {
    if (!this.#pages.has(id)) return false;
    this.#read += 1;
    return this.#read % compareEvery === 0;
  }

  /** Compares what the embed page gave, where the page is known, and says of its videos what is known of them. */
  embed(post: Post): Post {
    const known = keysOf(this.#pages.get(post.id) ?? []);
    const keys = keysOf(post.videos.flatMap(({ source }) => source.urls));
    if (known.size > 0 && keys.size > 0) {
      const isSame = keys.isSubsetOf(known);
      this.#isMarked ||= !isSame;
      this.#compared({ id: post.id, isSame });
    }
    if (!this.#isMarked) return post;
    return { ...post, videos: post.videos.map((video) => ({ ...video, mayBeMarked: true })) };
  }
}

/** The names under which the media servers keep the files: all addresses of one end in it. */
function keysOf(urls: readonly string[]): Set<string> {
  return new Set(urls.flatMap((url) => /([^/]+)\/?$/.exec(fileOf(url) ?? '')?.[1] ?? []));
}
