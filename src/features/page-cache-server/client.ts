import { Agent, request } from 'undici';
import type { CacheSpace } from '../../server/page-cache/page-cache.ts';

/** A look-up must not delay a page longer than rendering it would. */
const usualLookupMs = 50;
const callMs = 2000;
const maxTextBytes = 8 * 1024 * 1024;
/** After this many failures in a row the cache is not used for a while. */
const failuresInARow = 3;
const restMs = 1000;

/** A cache host's response to a look-up. */
type Lookup =
  | { readonly found: 'nothing' }
  | { readonly found: 'same' }
  | {
      readonly found: 'text';
      readonly text: Buffer;
      readonly etag: string | null;
      readonly version: string | null;
    };

interface ProtocolClientOptions {
  /** Base address of the cache host. */
  readonly url: string;
  /** Tells sites apart that share a cache. */
  readonly domain: string | undefined;
  readonly onFailure: (error: unknown) => void;
  /** Time limit of a look-up. */
  readonly lookupMs?: number;
  /** Monotonic clock in ms. */
  readonly now?: () => number;
}

interface Sent {
  readonly body?: Buffer;
  readonly etag?: string | null;
  /** Time limit in ms. */
  readonly limitMs?: number;
}

/** Calls one cache host over a few connections. */
function createCaller({ url, domain }: Pick<ProtocolClientOptions, 'url' | 'domain'>) {
  const agent = new Agent({ connections: 64, connect: { timeout: 1000 }, pipelining: 1 });
  async function call(
    method: 'GET' | 'POST',
    path: string,
    query: Readonly<Record<string, string>>,
    { body, etag, limitMs = callMs }: Sent = {},
  ) {
    const address = new URL(path.slice(1), url.endsWith('/') ? url : `${url}/`);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    if (domain !== undefined) address.searchParams.set('domain', domain);
    const response = await request(address, {
      method,
      dispatcher: agent,
      signal: AbortSignal.timeout(limitMs),
      headers: {
        ...(body !== undefined && { 'content-type': 'text/plain; charset=utf-8' }),
        ...(etag != null && { 'if-none-match': etag }),
      },
      ...(body !== undefined && { body }),
    });
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxTextBytes) throw new Error('the page cache sends too much');
      chunks.push(chunk);
    }
    return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks) };
  }

  return { call, close: () => agent.close() };
}

/** Makes a client; opens no connection yet. */
export function createProtocolClient(options: ProtocolClientOptions) {
  const { onFailure, lookupMs = usualLookupMs, now = () => performance.now() } = options;
  const { call, close } = createCaller(options);
  let failures = 0;
  let restsUntil = 0;

  async function tried<Value>(task: () => Promise<Value>, otherwise: Value): Promise<Value> {
    if (now() < restsUntil) return otherwise;
    try {
      const value = await task();
      failures = 0;
      return value;
    } catch (error) {
      failures += 1;
      if (failures >= failuresInARow) restsUntil = now() + restMs;
      onFailure(error);
      return otherwise;
    }
  }

  const typed = (space: CacheSpace) => (space === 'requests' ? { type: '1' } : {});
  const header = (value: string | string[] | undefined) => (typeof value === 'string' ? value : null);

  return {
    /** @param etag of the text that the caller has */
    get: (key: string, etag: string | null) =>
      tried<Lookup>(
        async () => {
          const { status, headers, text } = await call('GET', '/get', { key }, { etag, limitMs: lookupMs });
          if (status === 304) return { found: 'same' };
          if (status !== 200 || text.length === 0) return { found: 'nothing' };
          return {
            found: 'text',
            text,
            etag: header(headers.etag),
            version: header(headers['x-page-version']),
          };
        },
        { found: 'nothing' },
      ),
    getRequest: (key: string) =>
      tried(async () => {
        const { status, text } = await call('POST', '/get', { type: '1', key });
        return status === 200 ? text.toString() : null;
      }, null),
    set: (key: string, text: Buffer, version: string, ttlS: number) =>
      tried(async () => {
        await call('POST', '/set', { key, ts: version, ttl: String(ttlS) }, { body: text });
      }, undefined),
    /** A call that answers with a number. */
    count: (path: string, query: Readonly<Record<string, string>> = {}, space: CacheSpace = 'pages') =>
      tried(async () => {
        const { text } = await call('POST', path, { ...typed(space), ...query });
        return Number.parseInt(text.toString(), 10) || 0;
      }, 0),
    keys: (space: CacheSpace) =>
      tried<readonly string[]>(async () => {
        const list: unknown = JSON.parse((await call('POST', '/keys', typed(space))).text.toString());
        return Array.isArray(list) ? list.map(String) : [];
      }, []),
    close,
  };
}

/** A client of the page cache protocol. No call fails: errors are passed to `onFailure`. */
export type ProtocolClient = ReturnType<typeof createProtocolClient>;
