import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Linux counts CPU time in hundredths of a second (USER_HZ), whatever the kernel's own clock. */
const msPerTick = 10;

/** CPU time of the threads that a process has now, in ms (`/proc/pid/task/tid/schedstat`, first field, in ns). */
function threadsMs(pid: number): number {
  let ns = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    ns += Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), 10);
  return ns / 1e6;
}

/**
 * CPU time of a process so far, in ms, including its finished and waited-for children (proc(5), `/proc/pid/stat`,
 * fields 14 to 17). Linux only. Exact for a process whose threads live on, else to two ticks.
 */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in brackets and may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [own = 0, children = 0] = [
    [11, 12],
    [13, 14],
  ].map((pair) => pair.reduce((sum, at) => sum + Number(fields[at]), 0) * msPerTick);
  // Ticks also count threads that have ended, but a round of 3,000 cached pages has only some ten ticks.
  return Math.max(own - 2 * msPerTick, threadsMs(pid)) + children;
}

/** Resident memory of a process in MB (proc(5), `VmRSS`). Linux only. */
export function memoryMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}

/** Waits until a process has no children (proc(5), `/proc/pid/task/tid/children`). Linux only. */
export async function childrenEnded(pid: number): Promise<void> {
  while (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim() !== '') await delay(10);
}
