import { spawn } from 'node:child_process';
import { Failure } from '../../failures/failures.ts';

export interface ProcessRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
  /** Bytes on stdout after which the process is stopped. */
  readonly maxBytes: number;
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs: number;
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
 * killed soon after.
 * @throws Failure `platform_failed` when it cannot start or writes too much, `platform_timeout`, the signal's reason
 */
export function runBounded(request: ProcessRequest): Promise<ProcessResult> {
  const { command, args, env, signal } = request;
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let stderr = '';
    let stopped = false;
    let killTimer: NodeJS.Timeout | undefined;

    const stop = (reason: unknown) => {
      if (stopped) return;
      stopped = true;
      reject(reason);
      signalGroup(child.pid, 'SIGTERM');
      killTimer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), request.graceMs);
    };
    const onAbort = () => stop(signal.reason);
    const limit = setTimeout(
      () =>
        stop(new Failure('platform_timeout', { note: `${command} ran longer than ${request.limitMs} ms` })),
      request.limitMs,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    const finish = () => {
      clearTimeout(limit);
      signal.removeEventListener('abort', onAbort);
    };

    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > request.maxBytes) {
        stop(
          new Failure('platform_failed', { note: `${command} wrote more than ${request.maxBytes} bytes` }),
        );
      } else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-maxStderr);
    });
    child.on('error', (cause) => {
      finish();
      reject(new Failure('platform_failed', { note: `cannot start ${command}`, cause }));
    });
    // A child of the child may outlive it, hold the pipes or ignore SIGTERM.
    child.on('exit', () => signalGroup(child.pid, 'SIGKILL'));
    child.on('close', (code) => {
      clearTimeout(killTimer);
      finish();
      resolve({ code, stdout: Buffer.concat(chunks).toString('utf8'), stderr });
    });
  });
}

function signalGroup(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch (thrown) {
    // ESRCH: every process in the group has ended.
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
  }
}
