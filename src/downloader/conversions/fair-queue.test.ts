import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue, type FairQueueOptions } from './fair-queue.ts';

interface Job {
  readonly name: string;
}

function setUp(options: Partial<FairQueueOptions<Job>> = {}) {
  const started: string[] = [];
  const running = new Map<Job, () => void>();
  const queue = new FairQueue<Job>({
    parallel: 1,
    maxWaiting: 100,
    maxWaitingOfVisitor: 100,
    ...options,
    start(job, done) {
      started.push(job.name);
      running.set(job, done);
    },
    changed() {},
  });
  const finish = (job: Job) => {
    const done = running.get(job);
    running.delete(job);
    done?.();
  };
  const finishFirst = () => {
    const [job] = running.keys();
    if (job) finish(job);
  };
  return { queue, started, running, finish, finishFirst };
}

const job = (name: string): Job => ({ name });

describe('the fair queue', () => {
  it('gives each visitor a turn before anybody gets a second', () => {
    const { queue, started, finishFirst } = setUp();
    for (const name of ['a1', 'a2', 'a3']) queue.add(job(name), 'a');
    for (const name of ['b1', 'b2']) queue.add(job(name), 'b');
    queue.add(job('c1'), 'c');
    for (let count = 0; count < 6; count += 1) finishFirst();
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('runs one job per visitor at a time even when there is room for more', () => {
    const { queue, started, finish } = setUp({ parallel: 4 });
    const [first, second] = [job('a1'), job('a2')];
    queue.add(first, 'a');
    queue.add(second, 'a');
    queue.add(job('b1'), 'b');
    expect(started).toEqual(['a1', 'b1']);
    finish(first);
    expect(started).toEqual(['a1', 'b1', 'a2']);
  });

  it('starts a job that two visitors wait for as soon as one of them has the turn', () => {
    const { queue, started } = setUp({ parallel: 2 });
    const shared = job('shared');
    queue.add(job('a1'), 'a');
    queue.add(shared, 'a');
    expect(started).toEqual(['a1']);
    queue.add(shared, 'b');
    expect(started).toEqual(['a1', 'shared']);
  });

  it('forgets a waiting job when the last visitor who waits for it leaves', () => {
    const { queue, started, finishFirst } = setUp();
    const shared = job('shared');
    queue.add(job('a1'), 'a');
    queue.add(shared, 'b');
    queue.add(shared, 'c');
    queue.leave(shared, 'b');
    expect(queue.waiting).toBe(1);
    queue.leave(shared, 'c');
    expect(queue.waiting).toBe(0);
    finishFirst();
    expect(started).toEqual(['a1']);
    expect(queue.running).toBe(0);
  });

  it('frees a visitor who left a running job to others, but keeps the place taken', () => {
    const { queue, started } = setUp({ parallel: 2 });
    const [first, second] = [job('a1'), job('a2')];
    queue.add(first, 'a');
    queue.add(second, 'a');
    queue.leave(first, 'a');
    expect(started).toEqual(['a1', 'a2']);
    expect(queue.running).toBe(2);
  });

  it('starts the next job when one may not run beside another of its kind', () => {
    const heavy = new Set([job('a1'), job('b1')]);
    const [first, second] = [...heavy];
    const { queue, started, finishFirst } = setUp({
      parallel: 2,
      mayStart: (one, running) => !heavy.has(one) || !running.some((other) => heavy.has(other)),
    });
    if (first === undefined || second === undefined) throw new Error('two jobs');
    queue.add(first, 'a');
    queue.add(second, 'b');
    queue.add(job('c1'), 'c');
    expect(started).toEqual(['a1', 'c1']);
    finishFirst();
    expect(started).toEqual(['a1', 'c1', 'b1']);
  });

  it('refuses jobs beyond its bounds, except to join a waiting job', () => {
    const { queue } = setUp({ maxWaiting: 2, maxWaitingOfVisitor: 1 });
    const waiting = job('b1');
    queue.add(job('a1'), 'a');
    expect(queue.add(waiting, 'b')).toBe(true);
    expect(queue.add(job('b2'), 'b')).toBe(false);
    expect(queue.add(job('c1'), 'c')).toBe(true);
    expect(queue.add(job('d1'), 'd')).toBe(false);
    expect(queue.add(waiting, 'd')).toBe(true);
    expect(queue.waiting).toBe(2);
  });

  it('says how many jobs start earlier', () => {
    const { queue } = setUp();
    const [last, next] = [job('b2'), job('b1')];
    queue.add(job('a1'), 'a');
    expect(queue.ahead(next)).toBeNull();
    queue.add(next, 'b');
    queue.add(last, 'b');
    queue.add(job('c1'), 'c');
    expect(queue.ahead(next)).toBe(0);
    expect(queue.ahead(last)).toBe(2);
  });

  it('keeps its bounds and loses no job, whatever happens', () => {
    const visitor = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.oneof(
      fc.record({ do: fc.constant('add' as const), visitor, job: fc.nat(11) }),
      fc.record({ do: fc.constant('leave' as const), visitor, job: fc.nat(11) }),
      fc.record({ do: fc.constant('finish' as const), at: fc.nat(10) }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 60 }), (parallel, steps) => {
        const { queue, started, running, finish, finishFirst } = setUp({
          parallel,
          maxWaiting: 5,
          maxWaitingOfVisitor: 3,
        });
        const jobs = Array.from({ length: 12 }, (_, at) => job(`j${at}`));
        /** The waiting jobs, in a model that is too simple to be wrong. */
        const wanted = new Map<Job, Set<string>>();
        const seen = new Set<string>();
        const waitingOf = (who: string) => [...wanted.values()].filter((set) => set.has(who)).length;
        const settle = () => {
          for (const one of wanted.keys()) if (running.has(one)) wanted.delete(one);
        };

        for (const action of steps) {
          if (action.do === 'finish') {
            const one = [...running.keys()][action.at % Math.max(1, running.size)];
            if (one) finish(one);
          } else {
            const one = jobs[action.job];
            if (one === undefined) continue;
            if (action.do === 'leave') {
              queue.leave(one, action.visitor);
              const set = wanted.get(one);
              set?.delete(action.visitor);
              if (set?.size === 0) wanted.delete(one);
            } else if (!seen.has(one.name) || wanted.has(one)) {
              const wasWaiting = wanted.get(one)?.has(action.visitor) ?? false;
              const roomForIt = wanted.has(one) || wanted.size < 5;
              const accepted = queue.add(one, action.visitor);
              expect(accepted).toBe(wasWaiting || (roomForIt && waitingOf(action.visitor) < 3));
              if (accepted) {
                seen.add(one.name);
                wanted.set(one, (wanted.get(one) ?? new Set()).add(action.visitor));
              }
            }
          }
          settle();
          expect(running.size).toBeLessThanOrEqual(parallel);
          expect(queue.running).toBe(running.size);
          expect(queue.waiting).toBe(wanted.size);
          const places = [...wanted.keys()].map((one) => queue.ahead(one));
          expect(places.every((place) => place !== null && place < wanted.size)).toBe(true);
          expect(new Set(places).size).toBe(places.length);
        }

        const left = [...wanted.keys()];
        for (let count = 0; count < 30; count += 1) finishFirst();
        for (const one of left) expect(started).toContain(one.name);
        expect(new Set(started).size).toBe(started.length);
        expect(queue.waiting + queue.running).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('never runs two jobs on one visitor’s account and leaves no usable place empty', () => {
    const ask = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.boolean());
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(ask, { maxLength: 50 }), (parallel, asks) => {
        const { queue, running, finishFirst } = setUp({ parallel });
        asks.forEach(([visitor, finishOne], at) => {
          queue.add(job(`${visitor}${at}`), visitor);
          if (finishOne) finishFirst();
          const owners = [...running.keys()].map(({ name }) => name[0]);
          expect(new Set(owners).size).toBe(owners.length);
          if (queue.waiting > 0 && running.size < parallel) expect(owners.length).toBeGreaterThan(0);
        });
        let most = 0;
        while (queue.running > 0) {
          most = Math.max(most, queue.running);
          finishFirst();
        }
        expect(queue.waiting).toBe(0);
        expect(most).toBeLessThanOrEqual(parallel);
      }),
    );
  });
});
