import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Check, Finding } from '../../../../server/commands/checks.ts';

const dayMs = 86_400_000;
/** Certificates are renewed a month before their end, at the latest a week. */
const warningDays = 14;
const errorDays = 3;

interface FrontResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly certificate: Certificate | null;
}

interface Certificate {
  /** Why it is not trusted; null when it is. */
  readonly problem: string | null;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

function certificateOf(socket: TLSSocket): Certificate {
  const { valid_to: end } = socket.getPeerCertificate();
  const problem = socket.authorized ? null : String(socket.authorizationError);
  return { problem, endsAt: Date.parse(end) };
}

/** Asks for the head of a page. A certificate that nobody trusts is an answer, too. */
async function request(address: string, signal: AbortSignal): Promise<FrontResponse> {
  const options: RequestOptions = { signal, agent: false, rejectUnauthorized: false };
  const isSecure = address.startsWith('https:');
  const asked = (isSecure ? requestHttps : requestHttp)(address, options);
  asked.end();
  const [response] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
  const certificate = isSecure ? certificateOf(response.socket as TLSSocket) : null;
  response.destroy();
  return { status: response.statusCode ?? 0, headers: response.headers, certificate };
}

/** @returns how long it is good for */
export function certificateFinding({ problem, endsAt }: Certificate): Finding {
  const of = 'certificate';
  const days = Math.floor((endsAt - Date.now()) / dayMs);
  if (problem !== null)
    return {
      of,
      level: 'error',
      what: `browsers do not trust it: ${problem}`,
      todo: 'get a new certificate',
    };
  const what = `${days} days left`;
  const todo = 'see why it was not renewed';
  if (days < errorDays) return { of, level: 'error', what, todo };
  if (days < warningDays) return { of, level: 'warning', what, todo };
  return { of, level: 'ok', what };
}

/** Headers of every page of ours. @returns those that are missing */
const missingHeaders = ({ headers }: FrontResponse): string[] =>
  ['content-security-policy', 'x-content-type-options', 'referrer-policy'].filter(
    (name) => headers[name] === undefined,
  );

function pageFinding(response: FrontResponse, address: string): Finding {
  const of = 'page';
  if (response.status !== 200)
    return {
      of,
      level: 'error',
      what: `${address} answers ${response.status}`,
      todo: 'look at the log of the proxy in front, and of the site',
    };
  const missing = missingHeaders(response);
  if (missing.length > 0)
    return {
      of,
      level: 'error',
      what: `${address} answers without ${missing.join(', ')}`,
      todo: 'another site answers there, or the proxy in front removes headers (docs/deploying.md)',
    };
  return { of, level: 'ok', what: `${address} answers, with our headers` };
}

/** The response to a visitor who types the name alone. */
async function plainFinding(origin: string, signal: AbortSignal): Promise<Finding> {
  const of = 'http';
  const { hostname } = new URL(origin);
  const address = `http://${hostname}/`;
  try {
    const { status, headers } = await request(address, signal);
    const to = URL.parse(String(headers.location ?? ''), address);
    if (status >= 300 && status < 400 && to?.protocol === 'https:')
      return { of, level: 'ok', what: `${address} leads to ${to.origin}` };
    const todo = 'let the proxy in front redirect http to https';
    return { of, level: 'warning', what: `${address} answers ${status} and does not lead to https`, todo };
  } catch (error) {
    signal.throwIfAborted();
    const todo = 'let the proxy in front listen on port 80, too';
    return { of, level: 'warning', what: `${address}: ${(error as Error).message}`, todo };
  }
}

export const front: Check = {
  name: 'front',
  todo: 'see whether the site and the proxy in front run',
  async run({ origin, signal }) {
    const address = `${origin}/contact`;
    let response: FrontResponse;
    try {
      response = await request(address, signal);
    } catch (error) {
      signal.throwIfAborted();
      const todo =
        'see whether the site and the proxy in front run; a machine behind a router may not reach its own public address';
      return [{ level: 'error', what: `${address}: ${(error as Error).message}`, todo }];
    }
    const { certificate } = response;
    if (certificate === null) {
      const todo = 'put a proxy with TLS in front (docs/deploying.md)';
      const plain: Finding = { of: 'tls', level: 'warning', what: `${origin} has no TLS`, todo };
      return [pageFinding(response, address), plain];
    }
    return [
      pageFinding(response, address),
      certificateFinding(certificate),
      await plainFinding(origin, signal),
    ];
  },
};
