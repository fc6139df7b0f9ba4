import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../failures/failures.ts';
import { type TakeTurn, Turns } from '../async/turns.ts';

/** The requested result of a conversion; sent to a process of {@link PictureProcesses}. */
export interface PictureTask {
  readonly bytes: Uint8Array;
  readonly as: 'webp' | 'jpeg';
  /** Maximum width in pixels; null keeps the size. */
  readonly width: number | null;
  /** Maximum height; without it, proportional to the width. */
  readonly height?: number;
  /** Fills exactly these pixels: the space around the picture shows a blurred copy of it. */
  readonly filled?: boolean;
  /** 1 to 100. */
  readonly quality: number;
  /** Takes a quarter of the time, for a file that is a tenth larger. */
  readonly quick?: boolean;
}

/** The picture, or the reason why there is none. */
export type PictureAnswer = MadePicture<Uint8Array> | { readonly refused: string };

/** A picture and its pixels. */
export interface MadePicture<Bytes extends Uint8Array = Buffer> {
  readonly bytes: Bytes;
  readonly width: number;
  readonly height: number;
}

interface PictureProcessesOptions {
  /** Processes, and so pictures, at once. */
  readonly processes?: number;
  /** A picture that takes longer is given up, and its process ended. */
  readonly limitMs?: number;
  /** An idle process ends after this. */
  readonly idleMs?: number;
  /** Another program, for tests. */
  readonly program?: URL;
}

interface Worker {
  readonly child: ChildProcess;
  /** Ends an idle process. */
  idle: NodeJS.Timeout | null;
}

const never = new AbortController().signal;

/** Converts pictures in separate processes, a few at a time. */
export class PictureProcesses {
  readonly #turns: TakeTurn;
  readonly #limitMs: number;
  readonly #idleMs: number;
  readonly #program: string;
  readonly #idle: Worker[] = [];
  readonly #alive = new Set<Worker>();

  constructor(options: PictureProcessesOptions = {}) {
    this.#turns = new Turns().of('', options.processes ?? 2);
    this.#limitMs = options.limitMs ?? 10_000;
    this.#idleMs = options.idleMs ?? 30_000;
    this.#program = fileURLToPath(options.program ?? new URL('./picture-program.ts', import.meta.url));
  }

  /** Processes that exist now. */
  get alive(): number {
    return this.#alive.size;
  }

  /** @throws Failure `media_invalid` when it is no picture that we read, or takes too long */
  make(task: PictureTask): Promise<MadePicture> {
    return this.#turns(never, () => this.#make(task));
  }

  async #make(task: PictureTask): Promise<MadePicture> {
    const worker = this.#idle.pop() ?? this.#start();
    if (worker.idle !== null) clearTimeout(worker.idle);
    try {
      const answer = await this.#ask(worker, task);
      if ('refused' in answer) throw new Failure('media_invalid', { note: `picture: ${answer.refused}` });
      const { buffer, byteOffset, byteLength } = answer.bytes;
      return { ...answer, bytes: Buffer.from(buffer, byteOffset, byteLength) };
    } finally {
      if (this.#alive.has(worker)) this.#rest(worker);
    }
  }

  close(): void {
    for (const worker of this.#alive) this.#end(worker);
  }

  #start(): Worker {
    const child = fork(this.#program, {
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=96'],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Its own group: a signal sent to ours (Ctrl-C) must not break what a visitor still waits for.
      detached: true,
    });
    const worker: Worker = { child, idle: null };
    this.#alive.add(worker);
    child.once('exit', () => this.#forget(worker));
    child.on('error', () => this.#forget(worker));
    return worker;
  }

  #ask({ child }: Worker, task: PictureTask): Promise<PictureAnswer> {
    return new Promise((resolve, reject) => {
      const settle = (how: () => void) => {
        clearTimeout(limit);
        child.off('message', onMessage).off('exit', onExit).off('error', onError);
        how();
      };
      const failed = (note: string, cause?: unknown) =>
        settle(() => reject(new Failure('media_invalid', { note: `picture: ${note}`, cause })));
      const onMessage = (answer: PictureAnswer) => settle(() => resolve(answer));
      const onExit = (code: number | null, signal: string | null) => failed(`ended with ${signal ?? code}`);
      const onError = (error: Error) => failed('no process', error);
      // A busy decoder reacts only to SIGKILL.
      const limit = setTimeout(() => {
        failed(`not done after ${this.#limitMs} ms`);
        child.kill('SIGKILL');
      }, this.#limitMs);
      child.on('message', onMessage).on('exit', onExit).on('error', onError);
      child.ref();
      child.channel?.ref();
      child.send(task, (error) => error && onError(error));
    });
  }

  #rest(worker: Worker): void {
    // An idle process must not keep the program running.
    worker.child.unref();
    worker.child.channel?.unref();
    if (worker.child.killed) return;
    this.#idle.push(worker);
    worker.idle = setTimeout(() => this.#end(worker), this.#idleMs).unref();
  }

  #end(worker: Worker): void {
    this.#forget(worker);
    worker.child.kill('SIGKILL');
  }

  #forget(worker: Worker): void {
    this.#alive.delete(worker);
    if (worker.idle !== null) clearTimeout(worker.idle);
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
  }
}
