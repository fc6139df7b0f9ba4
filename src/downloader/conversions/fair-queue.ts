/** A job that visitors wait for. Any object; identity distinguishes jobs. */
export interface FairQueueOptions<Job> {
  /** Jobs that run at once. */
  parallel: number;
  /** Jobs that wait, at most, of all visitors and of one. */
  maxWaiting: number;
  maxWaitingOfVisitor: number;
  /** Whether this job may run beside those that do; every one when left out. */
  mayStart?: (job: Job, running: IteratorObject<Job>) => boolean;
  /** Starts a job on a visitor's account; `done` must be called once when it has really ended. */
  start: (job: Job, done: () => void, visitor: string) => void;
  /** Called after every change of what waits or runs. */
  changed: () => void;
}

/**
 * A bounded queue that serves visitors round-robin, so that a visitor with many jobs delays nobody else. A visitor has
 * at most one running job on its account, until the job ends or the visitor leaves it.
 */
export class FairQueue<Job extends object> {
  readonly #options: FairQueueOptions<Job>;
  /** Waiting jobs by visitor, in round-robin order. */
  readonly #queues = new Map<string, Job[]>();
  /** Number of visitors that wait for each job. */
  readonly #waiting = new Map<Job, number>();
  /** The visitor on whose account each running job is; null when that visitor has left. */
  readonly #running = new Map<Job, string | null>();
  readonly #busy = new Set<string>();

  constructor(options: FairQueueOptions<Job>) {
    this.#options = options;
  }

  /**
   * Lets this visitor wait for a job, which starts at once when there is room. A job with several visitors starts when
   * the first of them is next.
   * @returns false when the queue is full: the visitor does not wait then
   */
  add(job: Job, visitor: string): boolean {
    const { maxWaiting, maxWaitingOfVisitor, changed } = this.#options;
    const waiters = this.#waiting.get(job) ?? 0;
    const jobs = this.#queues.get(visitor) ?? [];
    if (jobs.includes(job)) return true;
    if (waiters === 0 && this.#waiting.size >= maxWaiting) return false;
    if (jobs.length >= maxWaitingOfVisitor) return false;
    jobs.push(job);
    this.#queues.set(visitor, jobs);
    this.#waiting.set(job, waiters + 1);
    this.#startNext();
    changed();
    return true;
  }

  /** The visitor leaves the job: a waiting job without visitors is removed, a running one runs on. */
  leave(job: Job, visitor: string): void {
    if (this.#removeFrom(visitor, job)) {
      const waiters = (this.#waiting.get(job) ?? 0) - 1;
      if (waiters > 0) this.#waiting.set(job, waiters);
      else this.#waiting.delete(job);
    } else if (this.#running.get(job) === visitor) {
      this.#running.set(job, null);
      this.#busy.delete(visitor);
      this.#startNext();
    } else {
      return;
    }
    this.#options.changed();
  }

  /** Jobs that are started before this one as things stand; null when it does not wait. */
  ahead(job: Job): number | null {
    if (!this.#waiting.has(job)) return null;
    const started = new Set<Job>();
    const lists = [...this.#queues.values()];
    const rounds = Math.max(...lists.map((jobs) => jobs.length));
    for (let round = 0; round < rounds; round += 1) {
      for (const jobs of lists) {
        const next = jobs[round];
        if (next === job) return started.size;
        if (next !== undefined) started.add(next);
      }
    }
    return started.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get running(): number {
    return this.#running.size;
  }

  #removeFrom(visitor: string, job: Job): boolean {
    const jobs = this.#queues.get(visitor);
    const at = jobs?.indexOf(job) ?? -1;
    if (jobs === undefined || at < 0) return false;
    jobs.splice(at, 1);
    if (jobs.length === 0) this.#queues.delete(visitor);
    return true;
  }

  #findNext(): { visitor: string; job: Job } | null {
    const { mayStart = () => true } = this.#options;
    for (const [visitor, jobs] of this.#queues) {
      const [job] = jobs;
      if (job !== undefined && !this.#busy.has(visitor) && mayStart(job, this.#running.keys()))
        return { visitor, job };
    }
    return null;
  }

  #startNext(): void {
    while (this.#running.size < this.#options.parallel) {
      const next = this.#findNext();
      if (next === null) return;
      const { visitor, job } = next;
      for (const other of [...this.#queues.keys()]) this.#removeFrom(other, job);
      const rest = this.#queues.get(visitor);
      if (rest !== undefined) {
        this.#queues.delete(visitor);
        this.#queues.set(visitor, rest);
      }
      this.#waiting.delete(job);
      this.#running.set(job, visitor);
      this.#busy.add(visitor);
      this.#options.start(job, () => this.#end(job), visitor);
    }
  }

  #end(job: Job): void {
    const visitor = this.#running.get(job);
    if (!this.#running.delete(job)) return;
    if (visitor != null) this.#busy.delete(visitor);
    this.#startNext();
    this.#options.changed();
  }
}
