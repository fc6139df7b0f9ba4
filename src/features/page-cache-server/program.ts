import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { type ConnectionTimes, connectionOptions, limitConnections } from '../../server/http/connections.ts';
import { createMemoryCache } from '../../server/page-cache/bounded-store.ts';
import type { CacheSpace } from '../../server/page-cache/page-cache.ts';
import type { SharedCache } from '../../stores/contracts/shared-cache.ts';

interface PageCacheProgramOptions {
  /**
   * Shares of the limit: half for pages, an eighth for backends' responses, a quarter for requests being received, the
   * rest for responses being sent.
   */
  readonly maxBytes: number;
  /** The cache of texts; by default this program's memory. */
  readonly openCache?: OpenCache;
  /** Public names under which this program is known to the sites. */
  readonly names?: readonly string[];
  readonly times?: ConnectionTimes;
  /** An active connection without progress for this long is closed; ms. */
  readonly stillMs?: number;
  /** Limit of open connections. */
  readonly mostConnections?: number;
  /** Monotonic clock in ms. */
  readonly now?: () => number;
}

/** Opens one space of the cache. */
type OpenCache = (space: CacheSpace, maxBytes: number) => SharedCache;

const maxTextBytes = 8 * 1024 * 1024;
const maxKeyLength = 1000;
/** Default lifetime of a text. */
const usualLifeS = 3600;

class Refusal extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

/** Overhead of a piece of a body besides its bytes. */
const pieceBytes = 300;

/** Reads bodies that together never take more than a number of bytes. */
function createBodyReader(maxBytes: number): (request: IncomingMessage) => Promise<Buffer> {
  let underWay = 0;
  return async (request) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let taken = 0;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > maxTextBytes) throw new Refusal(413);
        taken += chunk.length + pieceBytes;
        underWay += chunk.length + pieceBytes;
        if (taken > maxBytes) throw new Refusal(413);
        if (underWay > maxBytes) throw new Refusal(503);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } finally {
      underWay -= taken;
    }
  };
}

/**
 * Limits the bytes of unread responses: a client that never reads keeps a text in memory that the cache has long
 * evicted. A text counts once, however many clients read it; and a single response, however long, is always sent.
 */
function createResponseHold(maxBytes: number): (body: Buffer, response: ServerResponse) => void {
  const held = new Map<Buffer, number>();
  let bytes = 0;
  return (body, response) => {
    const readers = held.get(body) ?? 0;
    if (readers === 0) {
      if (bytes > 0 && bytes + body.length > maxBytes) throw new Refusal(503);
      bytes += body.length;
    }
    held.set(body, readers + 1);
    response.once('close', () => {
      const left = (held.get(body) ?? 1) - 1;
      if (left > 0) return void held.set(body, left);
      held.delete(body);
      bytes -= body.length;
    });
  };
}

const controlCharacter = /\p{Cc}/u;

function wordIn(query: URLSearchParams, name: string): string {
  const word = query.get(name) ?? '';
  if (word.length > maxKeyLength || controlCharacter.test(word)) throw new Refusal(400);
  return word;
}

function keyOf(query: URLSearchParams, name = 'key'): string {
  const key = wordIn(query, name);
  if (key === '') throw new Refusal(400);
  return key;
}

/** Names that no stranger can give to an address of a private network, as a page in a browser there would use them. */
const privateName =
  /^(?:localhost|[a-z0-9_-]+|[a-z0-9_.-]+\.(?:internal|local|localhost|svc|lan|home\.arpa))$/i;

/** Whether the client is a program and not a web page in somebody's browser, which could be made to send requests. */
function comesFromProgram({ headers }: IncomingMessage, names: readonly string[]): boolean {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return false;
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return host === '' || isIP(host) !== 0 || privateName.test(host) || names.includes(host.toLowerCase());
}

/**
 * The page cache as a separate server, for several instances of the site. Implements the specification's protocol
 * (section 7): `type=1` selects backends' responses instead of pages, `domain` separates sites that share a cache.
 * Beyond the protocol, `/set` takes `ttl` in seconds, and `/get` sends `ETag` and `X-Page-Version`, so that a site need
 * not fetch a known page again, nor show another build's.
 */
export function createPageCacheProgram({
  maxBytes,
  names = [],
  times,
  stillMs = 30_000,
  mostConnections = 1000,
  now,
  openCache = (_, most) => createMemoryCache(most, now),
}: PageCacheProgramOptions): Server {
  const pages = openCache('pages', Math.ceil(maxBytes / 2));
  const requests = openCache('requests', Math.ceil(maxBytes / 8));
  const readBody = createBodyReader(maxBytes / 4);
  const hold = createResponseHold(maxBytes / 8);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!comesFromProgram(request, names)) throw new Refusal(403);
    const url = URL.parse(request.url ?? '', 'http://cache');
    if (url === null) throw new Refusal(400);
    const query = url.searchParams;
    const texts = query.get('type') === '1' ? requests : pages;
    // Keys contain no line breaks, so no domain's keys can be another's.
    const domain = `${wordIn(query, 'domain')}\n`;
    const isGet = request.method === 'GET';
    if (!isGet && request.method !== 'POST') throw new Refusal(405);
    const say = (text: string, status = 200) => {
      const body = Buffer.from(text);
      hold(body, response);
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(body);
    };

    if (url.pathname === '/get') {
      const kept = await texts.get(domain + keyOf(query));
      if (kept === null) return say('', 404);
      const { text: body, label } = kept;
      const [version = '', etag = ''] = label.split(' ');
      const headers = { etag, 'x-page-version': version };
      if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end();
      else {
        hold(body, response);
        const type = 'text/plain; charset=utf-8';
        response
          .writeHead(200, { ...headers, 'content-type': type, 'content-length': body.length })
          .end(body);
      }
      return;
    }
    if (url.pathname === '/healthz') return say('alive\n');
    if (isGet) throw new Refusal(Object.hasOwn(calls, url.pathname) || url.pathname === '/set' ? 405 : 404);
    if (url.pathname === '/set') {
      const since = texts.generation;
      const body = await readBody(request);
      const ttl = Number(query.get('ttl') ?? usualLifeS);
      if (body.length === 0 || !(ttl > 0 && ttl <= 604_800)) throw new Refusal(400);
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      const version = (query.get('ts') ?? '').replace(/[^\w.-]/g, '').slice(0, 40);
      await texts.keep(domain + keyOf(query), { text: body, label: `${version} ${etag}` }, ttl * 1000, since);
      return say('1');
    }
    const call = Object.hasOwn(calls, url.pathname) ? calls[url.pathname] : undefined;
    if (call === undefined) throw new Refusal(404);
    say(String(await call({ texts, query, domain })));
  }

  const server = createServer(connectionOptions(times), (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy();
      const status = error instanceof Refusal ? error.status : 500;
      response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${status}\n`);
    });
  });
  server.setTimeout(stillMs);
  limitConnections(server, mostConnections);
  return server;
}

interface Call {
  readonly texts: SharedCache;
  readonly query: URLSearchParams;
  /** Prefix of the requested domain's keys. */
  readonly domain: string;
}

/** Drops the texts of a domain with a matching key and build. @returns their number */
async function dropWhere(
  { texts, domain }: Call,
  matches: (key: string, version: string | undefined) => boolean,
): Promise<number> {
  const labels = [...(await texts.labels())].filter(([key]) => key.startsWith(domain));
  const keys = labels.filter(([key, label]) => matches(key, label.split(' ')[0])).map(([key]) => key);
  return texts.drop({ keys });
}

/** The calls that answer with a number of entries, or with a list as JSON. */
const calls: Readonly<Record<string, (call: Call) => Promise<number | string>>> = {
  '/keys': async ({ texts, domain }) => {
    const own = [...(await texts.labels()).keys()].filter((key) => key.startsWith(domain));
    return JSON.stringify(own.map((key) => key.slice(domain.length)));
  },
  '/del': async ({ texts, query, domain }) => texts.drop({ keys: [domain + keyOf(query)] }),
  '/del-keys': async ({ texts, query, domain }) => {
    const keys = keyOf(query, 'keys').split(',').filter(Boolean);
    return texts.drop({ keys: keys.map((key) => domain + key) });
  },
  '/del_by_suffix': async (call) => {
    const suffix = keyOf(call.query);
    return dropWhere(call, (key) => key.endsWith(suffix));
  },
  '/reset': (call) => dropWhere(call, () => true),
  '/clearByVersion': async (call) => {
    const current = call.query.get('ts') ?? '';
    return dropWhere(call, (_, version) => version !== current);
  },
};
