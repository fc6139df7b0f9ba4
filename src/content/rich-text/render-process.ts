/**
 * The process that renders texts. Its thread does the work, so that this one is free to see what it costs, and to end
 * with its parent: a thread in the middle of a native call ends with its process only.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FromRenderer, ToRenderer } from './bounded-renderer.ts';

/** Some fifty times what an article of ten pages takes; seconds are what only a mistake or an attack needs. */
const cpuLimitMs = 1000;
const lookMs = 100;
const maxMemoryMb = 192;

const [, , program = ''] = process.argv;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const say = (message: FromRenderer) => process.send?.(message);
const refuse = (reason: string) => say({ kind: 'refused', reason, isCostly: true });

process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Its parent finishes what visitors wait for after these, and then ends it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

const worker = new Worker(new URL(program), { resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb } });
await once(worker, 'message');
worker.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
  refuse('needs too much memory to be made');
});

/** CPU time at which the text is refused. */
let limitMs = Number.POSITIVE_INFINITY;
worker.on('message', (message: FromRenderer) => {
  if (message.kind !== 'find') limitMs = Number.POSITIVE_INFINITY;
  say(message);
});
process.on('message', (message: ToRenderer) => {
  if (message.kind === 'render') limitMs = cpuMs() + cpuLimitMs;
  worker.postMessage(message);
});
setInterval(() => {
  if (cpuMs() > limitMs) refuse(`takes longer than ${cpuLimitMs / 1000} s to be made`);
}, lookMs);
