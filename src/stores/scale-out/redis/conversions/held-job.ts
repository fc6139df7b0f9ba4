import { z } from 'zod';
import type { RedisConnection } from '../connection.ts';
import type { JobKeys } from './job-keys.ts';
import { finishScript, madeScript, passScript, renewScript, takeScript } from './job-scripts.ts';

/** A worker renews the lease of its job this often, in ms. */
const renewMs = 1000;

const takeReply = z.tuple([z.string(), z.string()]).nullable();
const count = z.number();

/** The last order of the job has left. */
export class Unwanted extends Error {}
/** The lease ran out, or the server was not reached: another worker may have the job. */
export class LeaseLost extends Error {}

/** How a worker's part in a job ends. */
export type JobOutcome = 'done' | 'unwanted' | 'back' | { readonly failure: string };

/** Leases on the server of a connection. */
export function createJobLeases({ redis, keys }: { redis: RedisConnection; keys: JobKeys }) {
  const prefix = [keys.prefix];
  const take = redis.script(takeScript);
  const renew = redis.script(renewScript);
  const reportProgress = redis.script(madeScript);
  const pass = redis.script(passScript);
  const finish = redis.script(finishScript);

  function throwIfUnwanted(wants: number): void {
    if (wants < 0) throw new LeaseLost('another worker has the job');
    if (wants === 0) throw new Unwanted('nobody wants the file');
  }

  function heldJob(key: string, work: string, worker: string) {
    return {
      key,
      work,

      /**
       * Renews the lease until the returned function is called.
       * @param lost called once with the reason when the result is no longer needed
       */
      hold(lost: (reason: Unwanted | LeaseLost) => void): () => void {
        const look = async () => {
          try {
            throwIfUnwanted(count.parse(await renew(prefix, [key, worker])));
          } catch (error) {
            // The waiting instances cannot be reached from here, but perhaps from another worker.
            lost(error instanceof Unwanted ? error : new LeaseLost('no renewal', { cause: error }));
          }
        };
        const timer = setInterval(look, renewMs);
        const stopHearing = redis.subscribe(keys.news(key), (news) => {
          if (news === 'unwanted') void look();
        });
        return () => {
          clearInterval(timer);
          stopHearing();
        };
      },

      /** Says how far it is made, from 0 to 1. @throws as {@link pass} */
      async made(fraction: number) {
        throwIfUnwanted(count.parse(await reportProgress(prefix, [key, worker, fraction])));
      },

      /** Passes bytes on. @throws Unwanted, LeaseLost, RedisUnavailable, or what the server refuses */
      async pass(position: number, bytes: Buffer, { length, etag }: { length: number; etag: string }) {
        throwIfUnwanted(count.parse(await pass(prefix, [key, worker, position, bytes, length, etag])));
      },

      async finish(outcome: JobOutcome) {
        const words = typeof outcome === 'string' ? [outcome, ''] : ['failed', outcome.failure];
        await finish(prefix, [key, worker, ...words]);
      },
    };
  }

  return {
    /** The next job that may start; null without. @param heavy whether it may be a heavy one */
    async take(worker: string, heavy: boolean) {
      const taken = takeReply.parse(await take(prefix, [worker, heavy ? 1 : 0]));
      return taken === null ? null : heldJob(...taken, worker);
    },
  };
}

/** A job that a worker holds by a lease. */
export type HeldJob = NonNullable<Awaited<ReturnType<ReturnType<typeof createJobLeases>['take']>>>;
