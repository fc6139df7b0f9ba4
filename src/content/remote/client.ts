/** How the calls of the specification are made: which answers count, and what is tried again. */
const maxRetries = 3;
const firstDelayMs = 100;
const jitter = 0.2;
/** A page waits for this. */
const limitMs = 5000;

/** A list of a hundred articles takes some 60 kB. */
const maxAnswerBytes = 2 * 2 ** 20;

/** The cookie in which a backend gives its token, and the header in which it wants it back. */
const tokenCookie = 'XSRF-TOKEN';
const tokenHeader = 'x-xsrf-token';

/** A backend that could not be asked, or that answered with something else than success. */
export class BackendError extends Error {
  override readonly name = 'BackendError';
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;

  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

export interface BackendClientOptions {
  /** Where the paths of calls begin; without a last slash. */
  readonly base: string;
  readonly fetch: typeof fetch;
  /** Resolves after a time, or with the signal's reason. */
  readonly pause: (delayMs: number, signal: AbortSignal) => Promise<unknown>;
  /** From 0 to 1. */
  readonly random: () => number;
}

export interface BackendClient {
  /**
   * Asks with GET, and up to three times again after network errors and answers of 500 and more.
   * @returns the `data` of the answer
   * @throws BackendError
   */
  get(path: string, query: Readonly<Record<string, string | number>>): Promise<unknown>;
}

/** How long to wait before a retry, the first one being 1: twice as long each time, and up to a fifth more. */
function delayBefore(retry: number, random: () => number): number {
  return firstDelayMs * 2 ** (retry - 1) * (1 + jitter * random());
}

/** @throws BackendError when there is more of it than an answer can have; Error when it breaks off */
async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop ends the answer, so that an endless one is not read on.
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxAnswerBytes)
      throw new BackendError(`the answer is longer than ${maxAnswerBytes} bytes`, response.status);
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

const isTransient = ({ status }: BackendError) => status === null || status >= 500;

/** An answer counts as successful if `cscode` or `code` is 200, or if it contains a result. */
function dataOf(answer: unknown, status: number): unknown {
  if (typeof answer !== 'object' || answer === null)
    throw new BackendError('the answer is no object', status);
  const { cscode, code, data, result } = answer as Record<string, unknown>;
  if (cscode === 200 || code === 200 || result !== undefined) return data ?? result;
  throw new BackendError(`the answer says ${String(cscode ?? code)}`, status);
}

/** Makes a client of one backend. It gives back the token that the backend gave it. */
export function createBackendClient({ base, fetch, pause, random }: BackendClientOptions): BackendClient {
  let token: string | null = null;

  async function ask(url: URL, signal: AbortSignal): Promise<unknown> {
    let response: Response;
    try {
      response = await fetch(url, {
        signal,
        // What the backend may be asked was decided by the operator who named it, not by itself.
        redirect: 'error',
        headers: {
          accept: 'application/json, text/plain, */*',
          ...(token !== null && { cookie: `${tokenCookie}=${token}`, [tokenHeader]: token }),
        },
      });
    } catch (cause) {
      throw new BackendError('the backend does not answer', null, cause);
    }
    for (const cookie of response.headers.getSetCookie())
      token = new RegExp(`^${tokenCookie}=([\\w.~%-]{1,500})`).exec(cookie)?.[1] ?? token;
    if (!response.ok) {
      await response.body?.cancel();
      throw new BackendError(`the backend answered ${response.status}`, response.status);
    }
    const text = await readText(response).catch((cause: unknown) => {
      throw cause instanceof BackendError ? cause : new BackendError('the answer broke off', null, cause);
    });
    try {
      return dataOf(JSON.parse(text), response.status);
    } catch (cause) {
      if (cause instanceof BackendError) throw cause;
      throw new BackendError('the answer is no JSON', response.status, cause);
    }
  }

  return {
    async get(path, query) {
      const url = new URL(base + path);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
      const signal = AbortSignal.timeout(limitMs);
      for (let retry = 0; ; ) {
        try {
          return await ask(url, signal);
        } catch (error) {
          const isLast = !(error instanceof BackendError) || !isTransient(error) || retry === maxRetries;
          if (isLast || signal.aborted) throw error;
          await pause(delayBefore(++retry, random), signal);
        }
      }
    },
  };
}
