import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Linux counts CPU time in hundredths of a second (USER_HZ), whatever the kernel's own clock. */
const msPerTick = 10;

/**
 * CPU time of a process so far, in ms, with that of its finished and waited-for children (proc(5), `/proc/pid/stat`,
 * fields 14 to 17). Linux only.
 */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in brackets and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) * msPerTick;
}

/** Resident memory of a process in MB (proc(5), `VmRSS`). Linux only. */
export function memoryMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}

/** Waits until a process has no children any more (proc(5), `/proc/pid/task/tid/children`). Linux only. */
export async function childrenEnded(pid: number): Promise<void> {
  while (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim() !== '') await delay(10);
}
