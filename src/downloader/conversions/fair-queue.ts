/** Work that visitors wait for. Any object: it is known by identity. */
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

export interface FairQueue<Job> {
  /**
   * Lets this visitor wait for a job, which starts at once when there is room. A job that several wait for starts
   * when the first of them has the turn.
   * @returns false when the queue is full: the visitor does not wait for it then
   */
  add(job: Job, visitor: string): boolean;
  /** The visitor wants the job no more: a waiting job nobody waits for is forgotten, a running one runs on. */
  leave(job: Job, visitor: string): void;
  /** Jobs that are started before this one as things stand; null when it does not wait. */
  ahead(job: Job): number | null;
  readonly waiting: number;
  readonly running: number;
}

/**
 * A bounded queue that gives visitors their turns round-robin, so that one who asks for many things delays nobody
 * else. At most one running job is on a visitor's account, until it ends or the visitor leaves it to others.
 */
export function createFairQueue<Job extends object>(options: FairQueueOptions<Job>): FairQueue<Job> {
  const { parallel, maxWaiting, maxWaitingOfVisitor, mayStart = () => true, start, changed } = options;
  /** Each visitor's waiting jobs, in the order of turns. */
  const turns = new Map<string, Job[]>();
  /** How many visitors wait for each job. */
  const waiting = new Map<Job, number>();
  /** On whose account each running job is; null when that visitor left it to others. */
  const running = new Map<Job, string | null>();
  const busy = new Set<string>();

  function removeFrom(visitor: string, job: Job): boolean {
    const jobs = turns.get(visitor);
    const at = jobs?.indexOf(job) ?? -1;
    if (jobs === undefined || at < 0) return false;
    jobs.splice(at, 1);
    if (jobs.length === 0) turns.delete(visitor);
    return true;
  }

  function nextTurn(): { visitor: string; job: Job } | null {
    for (const [visitor, jobs] of turns) {
      const [job] = jobs;
      if (job !== undefined && !busy.has(visitor) && mayStart(job, running.keys())) return { visitor, job };
    }
    return null;
  }

  function startNext(): void {
    while (running.size < parallel) {
      const turn = nextTurn();
      if (turn === null) return;
      const { visitor, job } = turn;
      for (const other of [...turns.keys()]) removeFrom(other, job);
      const rest = turns.get(visitor);
      if (rest !== undefined) {
        turns.delete(visitor);
        turns.set(visitor, rest);
      }
      waiting.delete(job);
      running.set(job, visitor);
      busy.add(visitor);
      start(job, () => end(job), visitor);
    }
  }

  function end(job: Job): void {
    const visitor = running.get(job);
    if (!running.delete(job)) return;
    if (visitor != null) busy.delete(visitor);
    startNext();
    changed();
  }

  return {
    add(job, visitor) {
      const waiters = waiting.get(job) ?? 0;
      const jobs = turns.get(visitor) ?? [];
      if (jobs.includes(job)) return true;
      if (waiters === 0 && waiting.size >= maxWaiting) return false;
      if (jobs.length >= maxWaitingOfVisitor) return false;
      jobs.push(job);
      turns.set(visitor, jobs);
      waiting.set(job, waiters + 1);
      startNext();
      changed();
      return true;
    },

    leave(job, visitor) {
      if (removeFrom(visitor, job)) {
        const waiters = (waiting.get(job) ?? 0) - 1;
        if (waiters > 0) waiting.set(job, waiters);
        else waiting.delete(job);
      } else if (running.get(job) === visitor) {
        running.set(job, null);
        busy.delete(visitor);
        startNext();
      } else {
        return;
      }
      changed();
    },

    ahead(job) {
      if (!waiting.has(job)) return null;
      const started = new Set<Job>();
      const lists = [...turns.values()];
      const rounds = Math.max(...lists.map((jobs) => jobs.length));
      for (let round = 0; round < rounds; round += 1) {
        for (const jobs of lists) {
          const next = jobs[round];
          if (next === job) return started.size;
          if (next !== undefined) started.add(next);
        }
      }
      return started.size;
    },

    get waiting() {
      return waiting.size;
    },
    get running() {
      return running.size;
    },
  };
}
