import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { checkPort } from '../../../../process/listening.ts';
import { EnvironmentError } from '../../../../process/variables.ts';
import { type Check, error, type Finding, ok, warning } from '../../../../server/commands/checks.ts';

/** Addresses of all interfaces, where this machine is found as well. */
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** Whether a program of this product answers at a port. */
async function isOurs(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  const name = everywhere[host] ?? (host.includes(':') ? `[${host}]` : host);
  const textAt = async (path: string) =>
    (await fetch(`http://${name}:${port}${path}`, { signal, redirect: 'manual' })).text();
  try {
    return (await textAt('/healthz')) === 'alive\n' || (await textAt('/metrics')).includes('clipferry_');
  } catch (error) {
    signal.throwIfAborted();
    // No HTTP is spoken there.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function portFinding(of: string, host: string, port: number, signal: AbortSignal): Promise<Finding> {
  try {
    await checkPort({ HOST: host, PORT: port });
    return ok(`${host}:${port} is free`, undefined, of);
  } catch (thrown) {
    if (!(thrown instanceof EnvironmentError)) throw thrown;
    if (await isOurs(host, port, signal)) return ok(`the site answers at ${host}:${port}`, undefined, of);
    const todo = `stop the other program ("ss -ltnp"), or set another ${of}`;
    return error(thrown.message.replace(/^\w+: /, ''), todo, of);
  }
}

/** Whether the site can listen, or does. */
export const ports: Check = {
  name: 'port',
  todo: 'set another PORT',
  run: ({ environment: { HOST, PORT, METRICS_PORT }, signal }) =>
    Promise.all(
      Object.entries({ PORT, METRICS_PORT }).flatMap(([name, port]) =>
        port === undefined ? [] : [portFinding(name, HOST, port, signal)],
      ),
    ),
};

const own = "look at this machine's resolver (/etc/resolv.conf)";

async function hostFinding(host: string, todo: string): Promise<Finding> {
  try {
    const found = await lookup(host, { all: true });
    return ok(found.map(({ address }) => address).join(', '), undefined, host);
  } catch (thrown) {
    return error((thrown as Error).message, todo, host);
  }
}

export const dns: Check = {
  name: 'dns',
  todo: own,
  async run({ environment: { HTTPS_PROXY, OUTBOUND_PROXIES }, origin }) {
    const { hostname } = new URL(origin);
    const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
    // Proxies look up the platform's names themselves.
    const asksItself = HTTPS_PROXY === undefined && OUTBOUND_PROXIES === undefined;
    return Promise.all([
      ...(isName
        ? [hostFinding(hostname, 'add A and AAAA records, or correct SITE_ORIGIN and "domain"')]
        : []),
      ...(asksItself ? [hostFinding('www.tiktok.com', own)] : []),
    ]);
  },
};

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
  if (problem !== null) return error(`browsers do not trust it: ${problem}`, 'get a new certificate', of);
  const days = Math.floor((endsAt - Date.now()) / dayMs);
  const what = `${days} days left`;
  const todo = 'see why it was not renewed';
  if (days < errorDays) return error(what, todo, of);
  return days < warningDays ? warning(what, todo, of) : ok(what, undefined, of);
}

/** Headers of every page of ours. @returns those that are missing */
const missingHeaders = ({ headers }: FrontResponse): string[] =>
  ['content-security-policy', 'x-content-type-options', 'referrer-policy'].filter(
    (name) => headers[name] === undefined,
  );

function pageFinding(response: FrontResponse, address: string): Finding {
  const of = 'page';
  if (response.status !== 200) {
    const todo = 'look at the log of the proxy in front, and of the site';
    return error(`${address} answers ${response.status}`, todo, of);
  }
  const missing = missingHeaders(response);
  if (missing.length > 0) {
    const todo = 'another site answers there, or the proxy in front removes headers (docs/deploying.md)';
    return error(`${address} answers without ${missing.join(', ')}`, todo, of);
  }
  return ok(`${address} answers, with our headers`, undefined, of);
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
      return ok(`${address} leads to ${to.origin}`, undefined, of);
    const todo = 'let the proxy in front redirect http to https';
    return warning(`${address} answers ${status} and does not lead to https`, todo, of);
  } catch (thrown) {
    signal.throwIfAborted();
    const todo = 'let the proxy in front listen on port 80, too';
    return warning(`${address}: ${(thrown as Error).message}`, todo, of);
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
    } catch (thrown) {
      signal.throwIfAborted();
      const todo =
        'see whether the site and the proxy in front run; a machine behind a router may not reach its own public address';
      return [error(`${address}: ${(thrown as Error).message}`, todo)];
    }
    const { certificate } = response;
    if (certificate === null)
      return [
        pageFinding(response, address),
        warning(`${origin} has no TLS`, 'put a proxy with TLS in front (docs/deploying.md)', 'tls'),
      ];
    return [
      pageFinding(response, address),
      certificateFinding(certificate),
      await plainFinding(origin, signal),
    ];
  },
};
