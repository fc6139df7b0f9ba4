/** A worker that makes files. */
export interface MakerScript {
  /** Path of its script on this site. */
  readonly path: string;
  /** The Trusted Types policy that gives this path, and no other. */
  readonly policyName: string;
}

/** What is said where a worker's script could not be had, broke, or fell silent. */
export interface WorkerFailure {
  readonly type: 'failed';
  /** For developers. */
  readonly note: string;
}

/** As Trusted Types know it; not in all browsers. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(path: string): string };
}

/** A policy can be made once. */
const policies = new Map<string, ReturnType<TrustedTypes['createPolicy']>>();

/** Starts a worker. */
export function startWorker({ path, policyName }: MakerScript): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy =
    policies.get(policyName) ?? trustedTypes?.createPolicy(policyName, { createScriptURL: () => path });
  if (policy !== undefined) policies.set(policyName, policy);
  return new Worker(policy?.createScriptURL(path) ?? path);
}

/**
 * Starts a worker with an order, and gives what it says. It is ended however the iteration ends.
 * @param silenceMs a worker that says nothing for so long has no line, or no processor
 * @throws the signal's reason
 */
export async function* messagesOf<Message>(
  script: MakerScript,
  order: unknown,
  silenceMs: number,
  signal: AbortSignal,
): AsyncGenerator<Message | WorkerFailure> {
  signal.throwIfAborted();
  const arrived: (Message | WorkerFailure)[] = [];
  let wake = () => {};
  const add = (message: Message | WorkerFailure) => {
    arrived.push(message);
    wake();
  };
  const worker = startWorker(script);
  worker.addEventListener('message', ({ data }: MessageEvent<Message>) => add(data));
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    add({ type: 'failed', note: event.message });
  });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  try {
    worker.postMessage(order);
    for (;;) {
      const message = arrived.shift();
      if (message !== undefined) {
        yield message;
        continue;
      }
      let timer: ReturnType<typeof setTimeout> | undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(() => add({ type: 'failed', note: 'says nothing' }), silenceMs);
      });
      clearTimeout(timer);
      signal.throwIfAborted();
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    worker.terminate();
  }
}
