import { setTimeout as waitFor } from 'node:timers/promises';

/** Calls as the specification defines them: valid responses and retries. */
const maxRetries = 3;
const firstDelayMs = 100;
const jitter = 0.2;

/** The cookie in which a backend sends its token, and the header in which it expects it back. */
const tokenCookie = 'XSRF-TOKEN';
const tokenHeader = 'x-xsrf-token';

/** A backend was unreachable, or did not respond with success. */
export class BackendError extends Error {
  override readonly name = 'BackendError';
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Its response if that was JSON: it may contain the reason. */
  readonly answer: unknown;

  constructor(message: string, status: number | null, details: { cause?: unknown; answer?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.status = status;
    this.answer = details.answer;
  }
}

export interface BackendClientOptions {
  /** The base address of calls, without a trailing slash. */
  readonly base: string;
  /** Limit for a call with all its retries. */
  readonly limitMs: number;
  /** More of an answer is not read. */
  readonly maxResponseBytes: number;
  readonly fetch?: typeof fetch;
  /** Resolves after a time, or with the signal's reason. */
  readonly pause?: (delayMs: number, signal: AbortSignal) => Promise<unknown>;
  /** A number from 0 to 1. */
  readonly random?: () => number;
}

/** Delay before a retry, counted from 1: doubles each time, plus up to a fifth. */
function delayBefore(retry: number, random: () => number): number {
  return firstDelayMs * 2 ** (retry - 1) * (1 + jitter * random());
}

/** The body of a response, up to the limit. @throws BackendError when it is longer; Error when it breaks off */
export async function readBounded(response: Response, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop closes the response, so that an endless one is not read further.
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes)
      throw new BackendError(`the answer is longer than ${maxBytes} bytes`, response.status);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const isWithoutResponse = ({ status }: BackendError) => status === null;
const isTransient = ({ status }: BackendError) => status === null || status >= 500;

/** An answer counts as successful if `cscode` or `code` is 200, or if it contains a result. */
function dataOf(answer: unknown, status: number): unknown {
  if (typeof answer !== 'object' || answer === null)
    throw new BackendError('the answer is no object', status);
  const { cscode, code, data, result } = answer as Record<string, unknown>;
  if (cscode === 200 || code === 200 || result !== undefined) return data ?? result;
  throw new BackendError(`the answer says ${String(cscode ?? code)}`, status, { answer });
}

const isPlainText = ({ headers }: Response) => /^text\/plain\b/i.test(headers.get('content-type') ?? '');

/**
 * Parses a response as JSON, whatever its content type, or as plain text. Undefined for a refusal in any other form.
 * @throws BackendError
 */
function readResponse(text: string, response: Response): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (isPlainText(response)) return text;
    if (!response.ok) return undefined;
    throw new BackendError('the answer is neither JSON nor plain text', response.status, { cause });
  }
}

/** Makes a client of one backend. It gives back the token that the backend gave it. */
export function createBackendClient(options: BackendClientOptions) {
  const { base, limitMs, maxResponseBytes, fetch = globalThis.fetch, random = Math.random } = options;
  const { pause = (delayMs, signal) => waitFor(delayMs, undefined, { signal }) } = options;
  let token: string | null = null;

  async function ask(url: URL, request: RequestInit, signal: AbortSignal): Promise<unknown> {
    let response: Response;
    try {
      response = await fetch(url, {
        ...request,
        signal,
        // The operator decides which paths are called, not the backend.
        redirect: 'error',
        headers: {
          ...request.headers,
          accept: 'application/json, text/plain, */*',
          ...(token !== null && { cookie: `${tokenCookie}=${token}`, [tokenHeader]: token }),
        },
      });
    } catch (cause) {
      throw new BackendError('the backend does not answer', null, { cause });
    }
    for (const cookie of response.headers.getSetCookie())
      token = new RegExp(`^${tokenCookie}=([\\w.~%-]{1,500})`).exec(cookie)?.[1] ?? token;
    const bytes = await readBounded(response, maxResponseBytes).catch((cause: unknown) => {
      throw cause instanceof BackendError ? cause : new BackendError('the answer broke off', null, { cause });
    });
    const answer = readResponse(new TextDecoder().decode(bytes), response);
    if (!response.ok)
      throw new BackendError(`the backend answered ${response.status}`, response.status, { answer });
    // A plain text has no result code: it is the result.
    return typeof answer === 'string' && isPlainText(response) ? answer : dataOf(answer, response.status);
  }

  async function askAgain(
    url: URL,
    request: RequestInit,
    signal: AbortSignal,
    mayRepeat: (error: BackendError) => boolean,
  ): Promise<unknown> {
    for (let retry = 0; ; ) {
      try {
        return await ask(url, request, signal);
      } catch (error) {
        const isLast = !(error instanceof BackendError) || !mayRepeat(error) || retry === maxRetries;
        if (isLast || signal.aborted) throw error;
        await pause(delayBefore(++retry, random), signal);
      }
    }
  }

  return {
    /**
     * Sends a GET, with up to three retries after network errors and 5xx responses.
     * @returns the `data` or `result` of the response, or its plain text
     * @throws BackendError
     */
    get(path: string, query: Readonly<Record<string, string | number>>) {
      const url = new URL(base + path);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
      return askAgain(url, {}, AbortSignal.timeout(limitMs), isTransient);
    },
    /**
     * Sends a POST with a JSON body, with up to three retries after network errors: a call that got a response may have
     * had its effect.
     * @returns the `data` or `result` of the response, or its plain text
     * @throws BackendError, or the signal's reason
     */
    async post(path: string, body: unknown, signal: AbortSignal) {
      const request = {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      };
      const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
      try {
        return await askAgain(new URL(base + path), request, limited, isWithoutResponse);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },
  };
}

export type BackendClient = ReturnType<typeof createBackendClient>;
