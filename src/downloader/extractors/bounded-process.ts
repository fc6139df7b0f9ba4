import { spawn } from 'node:child_process';
import { Failure } from '../../failures/failures.ts';

export interface ProcessRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Bytes on stdout after which the process is stopped. */
  readonly maxBytes: number;
  /** Ends it when its time is over, too. */
  readonly signal: AbortSignal;
}

export interface ProcessResult {
  readonly code: number | null;
  readonly stdout: string;
  /** The last 2,000 characters. */
  readonly stderr: string;
}

const maxStderr = 2_000;

/**
 * Runs a program in its own process group and resolves when it has ended. However the call ends, the whole group is
 * killed.
 * @throws Failure `platform_failed` when it cannot start or writes too much, or the signal's reason
 */
export function runBounded({ command, args, env, maxBytes, signal }: ProcessRequest): Promise<ProcessResult> {
  if (signal.aborted) return Promise.reject(signal.reason);
  const { promise, resolve, reject } = Promise.withResolvers<ProcessResult>();
  const child = spawn(command, [...args], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  let bytes = 0;
  let stderr = '';
  const stop = (reason: unknown) => {
    reject(reason);
    killGroup(child.pid);
  };
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else stop(new Failure('platform_failed', { note: `${command} wrote more than ${maxBytes} bytes` }));
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-maxStderr);
  });
  child.on('error', (cause) =>
    reject(new Failure('platform_failed', { note: `cannot start ${command}`, cause })),
  );
  // A child of the child may outlive it, and hold the pipes.
  child.on('exit', () => killGroup(child.pid));
  child.on('close', (code) => resolve({ code, stdout: Buffer.concat(chunks).toString('utf8'), stderr }));
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (thrown) {
    // ESRCH: every process in the group has ended.
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
  }
}
