import { createHash } from 'node:crypto';
import { contentSecurityPolicy } from '../pages/security-headers.ts';
import type { PageAnswer } from '../pipeline/exchange.ts';
import { createBoundedStore } from './bounded-store.ts';
import type { PageCache } from './page-cache.ts';
import { bytesOfPage, preparePage } from './prepared-page.ts';
import type { ProtocolClient } from './protocol/client.ts';

/** A page in the form in which it is sent, and what the cache host knows it by. */
interface Prepared {
  readonly answer: PageAnswer;
  /** Of the text. */
  readonly digest: string;
  /** What the host named it; null when it names nothing. */
  readonly etag: string | null;
}

interface RemotePageCacheOptions {
  readonly client: ProtocolClient;
  /** Of this build: pages of another one ask for scripts that are not here. */
  readonly version: string;
  /** Room for pages that need not be compressed again. */
  readonly maxBytes: number;
}

/** How long a page in sendable form is worth its room; whether it may be shown is for the host to say. */
const preparedLifeMs = 3_600_000;

/** Keys stand in an address, which has a bounded length. */
const keysInACall = 50;

const digestOf = (text: Buffer) => createHash('sha256').update(text).digest('base64url');

/** The headers of a page of which the cache host has only the text. */
function headersOf(key: string, text: Buffer): Record<string, string> {
  if (key.endsWith('.data')) return { 'content-type': 'text/x-script', 'x-remix-response': 'yes' };
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(text),
  };
}

/** Whether a page comes back from its text alone as it was. */
const isOfTextAlone = (key: string, { headers, body }: PageAnswer) => {
  const usual = headersOf(key, body);
  return Object.entries(headers).every(([name, value]) => name === 'cache-control' || usual[name] === value);
};

/**
 * Keeps pages on a cache host that several instances share. The host has the text; this process remembers the
 * compressed forms of texts that it has seen, so that a page is compressed once and not for each visitor.
 */
export function createRemotePageCache({ client, version, maxBytes }: RemotePageCacheOptions): PageCache {
  const prepared = createBoundedStore<Prepared>({ maxBytes, bytesOf: ({ answer }) => bytesOfPage(answer) });
  const remember = (key: string, value: Prepared) => prepared.set(key, { value, version }, preparedLifeMs);

  async function find(key: string): Promise<PageAnswer | null> {
    const known = prepared.get(key)?.value;
    const answer = await client.get(key, known?.etag ?? null);
    if (answer.found === 'same') return known?.answer ?? null;
    if (answer.found === 'nothing' || (answer.version !== null && answer.version !== version)) return null;
    const { text, etag } = answer;
    const digest = digestOf(text);
    const page =
      known?.digest === digest
        ? known.answer
        : await preparePage({ status: 200, headers: headersOf(key, text), body: text });
    remember(key, { answer: page, digest, etag });
    return page;
  }

  return {
    peek: () => undefined,
    stale: (key) => prepared.get(key)?.value.answer,
    find,
    begin: () => async (key, answer, lifeS) => {
      const page = await preparePage(answer);
      if (!isOfTextAlone(key, answer)) return page;
      remember(key, { answer: page, digest: digestOf(answer.body), etag: null });
      // Nobody waits for it.
      void client.set(key, answer.body, version, lifeS);
      return page;
    },
    operations: {
      keys: client.keys,
      getRequest: client.getRequest,
      delete: async (space, keys) => {
        if (space === 'pages') prepared.delete(keys);
        if (keys.length === 1) return client.count('/del', { key: keys[0] ?? '' }, space);
        let count = 0;
        for (let at = 0; at < keys.length; at += keysInACall)
          count += await client.count(
            '/del-keys',
            { keys: keys.slice(at, at + keysInACall).join(',') },
            space,
          );
        return count;
      },
      deleteBySuffix: async (suffixes) => {
        prepared.deleteBySuffix(suffixes);
        const counts = await Promise.all(suffixes.map((key) => client.count('/del_by_suffix', { key })));
        return counts.reduce((sum, count) => sum + count, 0);
      },
      reset: () => {
        prepared.clear();
        return client.count('/reset');
      },
    },
  };
}
