import { expect } from 'vitest';
import type { Machine, Machines } from '../machines.ts';
import { type Mishap, slowFiles, startMixedLoad } from '../mixed-load.ts';

interface Kill {
  readonly at: number;
  readonly address: string;
}

/** A request in progress on a killed instance may fail; no other may. */
const isExcused = ({ since, until, instances }: Mishap, kills: readonly Kill[]) =>
  kills.some(({ at, address }) => since <= at && at <= until && instances.includes(address));

export interface MachineFaults {
  /** Kills the program there with SIGKILL, and starts it again. */
  kill(machine: Machine): Promise<void>;
  /** Replaces all instances one after the other, like an operator with a new version. */
  rollOut(version: 'this' | 'other'): Promise<void>;
}

/** The completed actions, and the number of requests that ended with their instance. */
interface Figures {
  readonly done: Readonly<Record<string, number>>;
  readonly kills: number;
  readonly excused: number;
}

/**
 * Makes visitors of all kinds use a site of many machines during a disturbance, and expects no wrong bytes, no false
 * responses, and no failures except of requests on a killed instance.
 */
export async function expectUnharmed(
  { balancer, machines, instances }: Machines,
  { visitors, seed }: { readonly visitors: number; readonly seed: number },
  doHarm: (faults: MachineFaults) => Promise<void>,
): Promise<Figures> {
  await instances.platform.configure(slowFiles);
  const kills: Kill[] = [];
  const load = startMixedLoad(balancer.origin, { visitors, seed });
  try {
    await doHarm({
      async kill(machine) {
        kills.push({ at: performance.now(), address: machine.address });
        await machine.restart('SIGKILL', 'this');
      },
      async rollOut(version) {
        for (const machine of machines) await machine.restart('SIGTERM', version);
      },
    });
  } finally {
    await load.stop();
  }
  expect(load.untrue).toEqual([]);
  expect(load.mishaps.filter((mishap) => !isExcused(mishap, kills))).toEqual([]);
  return { done: load.done, kills: kills.length, excused: load.mishaps.length };
}
