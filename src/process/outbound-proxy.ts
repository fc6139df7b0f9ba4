import { createHash } from 'node:crypto';

/** One outbound proxy. Only its `label` and `id` may be shown. */
export interface OutboundProxy {
  /** Names it in the metrics and between instances: the same for the same address and credentials. */
  readonly id: string;
  /** The address without credentials: `socks5://proxy.example:1080`. */
  readonly label: string;
  readonly protocol: 'http' | 'https' | 'socks5';
  /** A name or an address, an IPv6 one without brackets. */
  readonly host: string;
  readonly port: number;
  /** Null when it needs none. */
  readonly credentials: { readonly username: string; readonly password: string } | null;
}

/** An invalid entry of the list; the message gives its position and never its text. */
export class OutboundProxyError extends Error {
  override readonly name = 'OutboundProxyError';
}

const address =
  /^(https?|socks5h?):\/\/(?:([^\s/?#@:]*)(?::([^\s/?#@:]*))?@)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?\/?$/i;
const usualPorts = { http: 80, https: 443, socks5: 1080 } as const;
/** RFC 1929, section 2. */
const maxSocksCredentialBytes = 255;
const maxProxies = 1000;

/**
 * Parses a list of proxies, separated by commas or white space. SOCKS proxies resolve names themselves under either of
 * their two schemes, as HTTP proxies do.
 * @throws OutboundProxyError
 */
export function parseOutboundProxies(text: string): readonly OutboundProxy[] {
  const entries = text.split(/[\s,]+/).filter(Boolean);
  if (entries.length === 0) throw new OutboundProxyError('must name at least one proxy');
  if (entries.length > maxProxies) throw new OutboundProxyError(`must name at most ${maxProxies} proxies`);
  const proxies = entries.map((entry, index) => parseEntry(entry, `entry ${index + 1} of ${entries.length}`));
  const seen = new Map<string, number>();
  for (const [index, { id }] of proxies.entries()) {
    const first = seen.get(id);
    if (first !== undefined)
      throw new OutboundProxyError(`entries ${first + 1} and ${index + 1} are the same proxy`);
    seen.set(id, index);
  }
  return proxies;
}

/** The proxy as other programs take it, credentials and all: for the environment of a program, and for no log. */
export function proxyAddress({ protocol, host, port, credentials }: OutboundProxy): string {
  const user =
    credentials === null
      ? ''
      : `${encodeURIComponent(credentials.username)}:${encodeURIComponent(credentials.password)}@`;
  return `${protocol}://${user}${bracketed(host)}:${port}`;
}

/** A text of another program without the credentials that it may quote. */
export function withoutProxyCredentials(text: string, { credentials }: OutboundProxy): string {
  if (credentials === null) return text;
  const secrets = [credentials.username, credentials.password].flatMap((secret) => [
    encodeURIComponent(secret),
    secret,
  ]);
  return secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '…')), text);
}

function parseEntry(entry: string, name: string): OutboundProxy {
  const [, scheme, username, password, writtenHost, writtenPort] = address.exec(entry) ?? [];
  const url = URL.parse(`http://${writtenHost}`);
  if (scheme === undefined || writtenHost === undefined || url === null) {
    throw new OutboundProxyError(
      `${name} must be an address like http://host:3128, https://user:password@host:443 or socks5://host:1080`,
    );
  }
  const protocol = scheme.toLowerCase().replace('socks5h', 'socks5') as OutboundProxy['protocol'];
  const port = writtenPort === undefined ? usualPorts[protocol] : Number(writtenPort);
  if (port < 1 || port > 65_535) throw new OutboundProxyError(`${name} must have a port from 1 to 65535`);
  const credentials =
    username === undefined
      ? null
      : { username: decoded(username, name), password: decoded(password ?? '', name) };
  if (protocol === 'socks5' && credentials !== null) checkSocksCredentials(credentials, name);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const proxy = { label: `${protocol}://${bracketed(host)}:${port}`, protocol, host, port, credentials };
  return { id: idOf(proxyAddress({ ...proxy, id: '' })), ...proxy };
}

function decoded(text: string, name: string): string {
  const value = tryDecode(text);
  // A control character has no business in a header or a log.
  if (value === null || /\p{Cc}/u.test(value))
    throw new OutboundProxyError(
      `${name} must have its user and password percent-encoded: ":" is %3A, "@" is %40`,
    );
  return value;
}

function tryDecode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function checkSocksCredentials({ username, password }: { username: string; password: string }, name: string) {
  for (const part of [username, password]) {
    const { length } = Buffer.from(part);
    if (length < 1 || length > maxSocksCredentialBytes)
      throw new OutboundProxyError(
        `${name} must have a user and a password of 1 to ${maxSocksCredentialBytes} bytes, or neither`,
      );
  }
}

const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host);

const idOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 10);
