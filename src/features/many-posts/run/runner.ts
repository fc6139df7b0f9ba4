import { nameKey } from '../../../downloader/media/file-names.ts';
import type { ErrorResponse, ResolveResponse } from '../../../site/api.ts';
import { remedyFor } from '../../../site/pages/tool/link-box/remedy.ts';
import { postsAtOnce } from '../../../site/pages/tool/state/resolve-all.ts';
import type { Pace } from '../pace.ts';
import { createPace, wait } from './pacing.ts';
import { pathOf, planFiles, stemFor, stemOf } from './plan.ts';
import {
  type Hold,
  isOfSite,
  isTemporary,
  type PauseReason,
  Refusal,
  type Run,
  type RunPost,
  type RunView,
  type SavedFile,
  troubleOf,
} from './run.ts';
import type { RunStore } from './run-store.ts';
import type { RunTarget } from './targets.ts';

interface RunnerOptions {
  readonly run: Run;
  readonly posts: readonly RunPost[];
  readonly pace: Pace;
  readonly store: Pick<RunStore, 'put'>;
  readonly target: RunTarget;
  /** Asks this site for a post. @throws TypeError, SyntaxError without a readable response */
  resolve(link: string, signal: AbortSignal): Promise<ResolveResponse | ErrorResponse>;
  /** Fetches a file. @throws TypeError without a connection */
  fetch(href: string, signal: AbortSignal): Promise<Response>;
  onChange(view: RunView): void;
  /** An error of ours: the run stands still. */
  onError(thrown: unknown): void;
}

/** As `distinctName` notes it. */
const takenName = (path: string) => nameKey(`${stemOf(path)}.mp4`);

/** Tries of a post whose failure may pass. */
const mostTries = 3;
/** Without a word of the server. */
const usualHoldMs = 15_000;

/**
 * Saves the posts of a run, a few at a time and at the pace of one visitor. A refusal that concerns all posts holds all
 * of them, for as long as the site says; what became of each post is noted before the next one begins.
 */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #posts: RunPost[];
  readonly #active = new Map<number, AbortController>();
  readonly #taken: Set<string>;
  readonly #nextPost: ReturnType<typeof createPace>;
  readonly #nextFile: ReturnType<typeof createPace>;
  #phase: RunView['phase'] = 'paused';
  #why: PauseReason | null = null;
  #hold: Hold | null = null;
  #wake = new AbortController();
  #tasks = 0;
  /** Failures of the platform since it gave a post. */
  #strikes = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#posts = [...options.posts];
    this.#taken = new Set(options.posts.flatMap(({ files }) => files.map(takenName)));
    this.#nextPost = createPace(options.pace.posts);
    this.#nextFile = createPace(options.pace.files);
  }

  view(): RunView {
    const active = [...this.#active.keys()].flatMap((n) => this.#posts[n - 1] ?? []);
    const [phase, why, hold] = [this.#phase, this.#why, this.#hold];
    return { phase, why, hold, active, posts: [...this.#posts] };
  }

  #changed(): void {
    this.#options.onChange(this.view());
  }

  /** Begins, or goes on. */
  start(): void {
    if (this.#phase === 'running' || this.#phase === 'settling') return;
    [this.#phase, this.#why, this.#hold] = ['running', null, null];
    this.#wake = new AbortController();
    this.#changed();
    while (this.#tasks < postsAtOnce) {
      this.#tasks += 1;
      void this.#task().finally(() => {
        this.#tasks -= 1;
        if (this.#tasks === 0) void this.#settle();
      });
    }
  }

  /** Lets running posts end, and begins no other. */
  pause(why: PauseReason = 'asked'): void {
    if (this.#phase !== 'running') return;
    [this.#phase, this.#why, this.#hold] = ['paused', why, null];
    this.#wake.abort();
    this.#changed();
  }

  /** Ends everything at once; what was not noted is as if it had not begun. */
  leave(): void {
    this.pause();
    for (const controller of this.#active.values()) controller.abort();
  }

  /** Goes on at once, where it waits for a connection. */
  online(): void {
    if (this.#hold?.message !== null || this.#phase !== 'running') return;
    this.#hold = { ...this.#hold, until: 0 };
    this.#wake.abort();
    this.#wake = new AbortController();
  }

  /** Leaves a post out. */
  async skip(n: number): Promise<void> {
    const post = this.#posts[n - 1];
    if (post?.state !== 'waiting') return;
    this.#active.get(n)?.abort();
    await this.#note({ ...post, state: 'skipped' });
  }

  /** Tries failed posts again that may succeed now, and skipped ones. */
  async retry(): Promise<void> {
    for (const post of this.#posts.filter((one) => isTemporary(one) || one.state === 'skipped'))
      await this.#note({ ...post, state: 'waiting', tries: 0 });
    if (this.#phase === 'done') this.#phase = 'paused';
    this.start();
  }

  /** Takes over in which zip posts are. */
  zipped(posts: readonly RunPost[]): void {
    for (const post of posts) this.#posts[post.n - 1] = post;
  }

  #note(post: RunPost): Promise<void> {
    this.#posts[post.n - 1] = post;
    this.#changed();
    return this.#options.store.put(post);
  }

  /** Puts the files and the list in their places, once nothing is under way. */
  async #settle(): Promise<void> {
    const isOver = this.#posts.every(({ state }) => state !== 'waiting');
    if (this.#phase === 'running') this.#phase = 'settling';
    this.#changed();
    try {
      await this.#options.target.settle(() => this.#posts, isOver ? 'end' : 'pause');
      if (this.#phase === 'settling') {
        this.#phase = isOver ? 'done' : 'paused';
        // Tried again meanwhile.
        if (this.#next() !== undefined) this.start();
      }
    } catch (thrown) {
      if (this.#phase === 'settling') this.#phase = 'running';
      this.#stumble(thrown);
    }
    this.#changed();
  }

  /** The one that was tried least. */
  #next(): RunPost | undefined {
    let found: RunPost | undefined;
    for (const post of this.#posts) {
      if (post.state !== 'waiting' || this.#active.has(post.n)) continue;
      if (post.tries === 0) return post;
      if (found === undefined || post.tries < found.tries) found = post;
    }
    return found;
  }

  async #task(): Promise<void> {
    while (this.#phase === 'running') {
      await this.#held();
      const post = this.#next();
      if (post === undefined || this.#phase !== 'running') return;
      const controller = new AbortController();
      const { signal } = controller;
      this.#active.set(post.n, controller);
      this.#changed();
      try {
        await this.#nextPost(AbortSignal.any([signal, this.#wake.signal]));
        if (this.#phase === 'running' && this.#hold === null && !signal.aborted)
          await this.#save(post, signal);
      } catch (thrown) {
        if (!signal.aborted) await this.#failed(post, thrown).catch((other) => this.#stumble(other));
      } finally {
        this.#active.delete(post.n);
        this.#changed();
      }
    }
  }

  /** Waits as long as all posts have to. */
  async #held(): Promise<void> {
    while (this.#phase === 'running' && this.#hold !== null) {
      const ms = this.#hold.until - Date.now();
      if (ms > 0) await wait(ms, this.#wake.signal);
      else {
        this.#hold = null;
        this.#changed();
      }
    }
  }

  async #save(post: RunPost, signal: AbortSignal): Promise<void> {
    const { resolve, target, run } = this.#options;
    const answer = await resolve(post.link, signal);
    if ('error' in answer) throw new Refusal(answer.error);
    this.#strikes = 0;
    const { result } = answer;
    const { id, author, title, created_at: postedAt } = result.post;
    const found = { ...post, id, author: author.handle, text: title, postedAt };
    // A short link and a number may lead to the same post.
    const twin = this.#posts.find((other) => other.id === id && other.state === 'saved');
    if (twin !== undefined) return this.#note({ ...found, state: 'saved', sameAs: twin.n });
    const stem = stemFor(result, post, run, this.#taken);
    try {
      const files = await this.#saveFiles(planFiles(result, run, stem), signal);
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      const saved: RunPost = { ...found, state: 'saved', files: files.map(({ path }) => path), bytes };
      await target.commit(saved, files);
      this.#posts[post.n - 1] = saved;
    } catch (thrown) {
      this.#taken.delete(takenName(stem));
      throw thrown;
    }
    await target.settle(() => this.#posts, 'post');
  }

  async #saveFiles(planned: ReturnType<typeof planFiles>, signal: AbortSignal): Promise<SavedFile[]> {
    const { fetch, target } = this.#options;
    if (planned.length === 0) throw new Refusal({ key: 'option_missing', message: '' });
    const files: SavedFile[] = [];
    for (const file of planned) {
      await this.#nextFile(signal);
      const response = await fetch(file.href, signal);
      if (!response.ok) throw new Refusal(((await response.json()) as ErrorResponse).error);
      files.push(await target.save(pathOf(file, response), response, signal));
    }
    signal.throwIfAborted();
    return files;
  }

  async #failed(post: RunPost, thrown: unknown): Promise<void> {
    if (!(thrown instanceof Refusal)) return this.#stumble(thrown);
    const { key, message, retry_after_s: seconds } = thrown.error;
    if (key.startsWith('platform_')) this.#strikes += 1;
    // One post that the platform does not give says nothing about the next one.
    const isShared = isOfSite(key) || this.#strikes >= 2 || (seconds !== undefined && this.#strikes > 0);
    if (isShared) this.#holdFor(seconds === undefined ? usualHoldMs : seconds * 1000, message);
    if (isOfSite(key)) return;
    const tries = post.tries + 1;
    const goesOn = remedyFor(key) === 'retry' && tries < mostTries;
    await this.#note({ ...post, tries, reason: key, message, state: goesOn ? 'waiting' : 'failed' });
  }

  #holdFor(ms: number, message: string | null): void {
    const until = Date.now() + ms;
    if (this.#phase !== 'running' || (this.#hold?.until ?? 0) >= until) return;
    this.#hold = { until, message };
    this.#changed();
  }

  #stumble(thrown: unknown): void {
    const trouble = troubleOf(thrown);
    if (trouble === 'line') this.#holdFor(usualHoldMs, null);
    else this.pause(trouble);
    if (trouble === 'broken') this.#options.onError(thrown);
  }
}
