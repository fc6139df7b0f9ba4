import { createHash } from 'node:crypto';
import { Counter } from 'prom-client';
import type { Core } from '../../server/feature.ts';
import type { PageResponse } from '../../server/http/responses/response.ts';
import { createBoundedStore } from '../../server/page-cache/bounded-store.ts';
import type { PageCache } from '../../server/page-cache/page-cache.ts';
import { bytesOfPage, preparePage } from '../../server/page-cache/prepared-page.ts';
import { createPageSigner, type PageSigner } from '../../server/page-cache/signed-page.ts';
import { createProtocolClient, type ProtocolClient } from './client.ts';

/** A page in the form in which it is sent, and what the cache host knows it by. */
interface Prepared {
  readonly answer: PageResponse;
  /** Bytes of its headers and text. */
  readonly digest: string;
  /** The host's entity tag; null when it sends none. */
  readonly etag: string | null;
}

interface RemotePageCacheOptions {
  readonly client: ProtocolClient;
  readonly signer: PageSigner;
  /** This build's: pages of another one refer to scripts that it lacks. */
  readonly version: string;
  /** Room for pages that need not be compressed again. */
  readonly maxBytes: number;
}

/** How long a page in its sent form is kept; the host decides whether it may still be shown. */
const preparedLifeMs = 3_600_000;

/** Keys stand in an address, which has a bounded length. */
const keysInACall = 50;

const digestOf = ({ headers, body }: PageResponse) =>
  createHash('sha256').update(JSON.stringify(headers)).update(body).digest('base64url');

/**
 * Caches pages on a cache host shared by several instances. The host has signed texts; this process keeps the
 * compressed forms of known texts, so that a page is compressed once and not for each visitor.
 */
export function createRemotePageCache({
  client,
  signer,
  version,
  maxBytes,
}: RemotePageCacheOptions): PageCache {
  const prepared = createBoundedStore<Prepared>({ maxBytes, bytesOf: ({ answer }) => bytesOfPage(answer) });
  const remember = (key: string, value: Prepared) => prepared.set(key, value, preparedLifeMs);

  async function find(key: string): Promise<PageResponse | null> {
    const known = prepared.get(key);
    const answer = await client.get(key, known?.etag ?? null);
    if (answer.found === 'same') return known?.answer ?? null;
    if (answer.found === 'nothing' || (answer.version !== null && answer.version !== version)) return null;
    const { text, etag } = answer;
    const opened = signer.verifyPage(key, text);
    if (opened === null) return null;
    const digest = digestOf(opened);
    const page = known?.digest === digest ? known.answer : await preparePage(opened);
    remember(key, { answer: page, digest, etag });
    return page;
  }

  return {
    peek: () => undefined,
    stale: (key) => prepared.get(key)?.answer,
    find,
    begin: () => async (key, response, lifeS) => {
      const page = await preparePage(response);
      remember(key, { answer: page, digest: digestOf(response), etag: null });
      // Deliberately not awaited.
      void client.set(key, signer.signPage(key, response, lifeS), version, lifeS);
      return page;
    },
    operations: {
      keys: client.keys,
      getRequest: client.getRequest,
      delete: async (space, keys) => {
        if (space === 'pages') prepared.drop({ keys });
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
        prepared.drop({ suffixes });
        const counts = await Promise.all(suffixes.map((key) => client.count('/del_by_suffix', { key })));
        return counts.reduce((sum, count) => sum + count, 0);
      },
      reset: () => {
        prepared.drop('all');
        return client.count('/reset');
      },
    },
  };
}

/** Caches pages on the cache host that the environment names. */
export function hostedPageCache(
  url: string,
  { environment, configuration: { page_cache }, site, metrics, logger, secret }: Core,
): PageCache {
  if (environment.SECRET_KEY === undefined)
    logger.warn('PAGE_CACHE_URL without SECRET_KEY: instances with different keys cannot share pages');
  const failures = new Counter({
    name: 'clipferry_page_cache_failures_total',
    help: 'Calls of the shared page cache that failed; the pages were made anew.',
    registers: [metrics],
  });
  const client = createProtocolClient({
    url,
    domain: page_cache.domain,
    onFailure(error) {
      failures.inc();
      logger.warn({ err: error }, 'the page cache does not answer');
    },
  });
  // Pages of other builds refer to scripts that no longer exist.
  void client.count('/clearByVersion', { ts: site.version });
  const { version } = site;
  const { domain, max_mb } = page_cache;
  return createRemotePageCache({
    client,
    signer: createPageSigner({ secret, domain, version }),
    version,
    maxBytes: max_mb * 2 ** 20,
  });
}
