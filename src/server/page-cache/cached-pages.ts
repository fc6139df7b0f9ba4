import { z } from 'zod';
import type { DroppedEntries, SharedCache } from '../../stores/contracts/shared-cache.ts';
import type { PageResponse } from '../http/responses/response.ts';
import { createBoundedStore } from './bounded-store.ts';
import type { PageCache } from './page-cache.ts';
import { bytesOfPage, preparePage } from './prepared-page.ts';
import type { PageSigner } from './signed-page.ts';

interface PageCacheOptions {
  /** Room in this process. */
  readonly maxBytes: number;
  /** The cache that several instances share, and what signs the pages in it; null for a single instance. */
  readonly shared?: { readonly texts: SharedCache; readonly signer: PageSigner } | null;
  /** Monotonic clock in ms. */
  readonly now?: () => number;
  /** ms since the epoch */
  readonly wallNow?: () => number;
}

interface CachedPage {
  readonly response: PageResponse;
  /** End of its freshness, by the monotonic clock. */
  readonly freshUntil: number;
}

/** How long a stale page may still be shown while it cannot be rendered. */
const staleMs = 3_600_000;

/**
 * Caches pages in this process. With a shared cache behind it a page is rendered and compressed once for all instances,
 * a page that this process has seen needs no request, and a drop on one instance applies to all.
 */
export function createPageCache({
  maxBytes,
  shared = null,
  now = () => performance.now(),
  wallNow = Date.now,
}: PageCacheOptions): PageCache {
  const pages = createBoundedStore<CachedPage>({
    maxBytes,
    bytesOf: ({ response }) => bytesOfPage(response),
    now,
  });
  /** Grows with each drop: a page that was being rendered meanwhile may show the old content. */
  let generation = 0;

  function keepHere(key: string, response: PageResponse, lifeMs: number): void {
    pages.set(key, { response, freshUntil: now() + lifeMs }, lifeMs + staleMs);
  }

  function dropHere(dropped: DroppedEntries): number {
    generation += 1;
    return pages.drop(dropped);
  }

  async function drop(dropped: DroppedEntries): Promise<number> {
    const here = dropHere(dropped);
    return Math.max(here, (await shared?.texts.drop(dropped)) ?? 0);
  }

  shared?.texts.onDrop(dropHere);

  return {
    peek(key) {
      const page = pages.get(key);
      return page !== undefined && page.freshUntil > now() ? page.response : undefined;
    },
    stale: (key) => pages.get(key)?.response,
    async find(key) {
      if (shared === null) return null;
      const generationBefore = generation;
      const found = await shared.texts.get(key);
      const verified = found === null ? null : shared.signer.verifyPage(key, found.text);
      if (verified === null || generation !== generationBefore) return null;
      const { response, until } = unpackPage(verified);
      keepHere(key, response, until - wallNow());
      return response;
    },
    begin() {
      const generationBefore = generation;
      const since = shared?.texts.generation ?? null;
      return async (key, response, lifeS) => {
        const prepared = await preparePage(response);
        if (generation !== generationBefore) return prepared;
        const lifeMs = lifeS * 1000;
        keepHere(key, prepared, lifeMs);
        if (shared === null) return prepared;
        const text = shared.signer.signPage(key, packPage(prepared, wallNow() + lifeMs), lifeS);
        // Deliberately not awaited.
        void shared.texts.keep(key, { text, label: '' }, lifeMs, since);
        return prepared;
      };
    },
    operations: {
      async keys(space) {
        if (space !== 'pages') return [];
        return [
          ...new Set([
            ...[...pages.entries()].map(([key]) => key),
            ...((await shared?.texts.labels())?.keys() ?? []),
          ]),
        ];
      },
      getRequest: async () => null,
      delete: async (space, keys) => (space === 'pages' ? drop({ keys }) : 0),
      deleteBySuffix: (suffixes) => drop({ suffixes }),
      reset: () => drop('all'),
    },
  };
}

/** The header before the two compressed representations of a page. */
const factsSchema = z.object({
  /** End of its freshness, in ms since the epoch. */
  until: z.number(),
  tag: z.string(),
  brBytes: z.number(),
});

/** A page in its sent form, as one text to store elsewhere. */
function packPage({ status, headers, encoded }: PageResponse, until: number): PageResponse {
  if (encoded === undefined) throw new TypeError('Only a prepared page can be packed');
  const { br, gzip, tag } = encoded;
  const facts = JSON.stringify({ until, tag, brBytes: br.length } satisfies z.output<typeof factsSchema>);
  return { status, headers, body: Buffer.concat([Buffer.from(`${facts}\n`), br, gzip]) };
}

/** Unpacks a page. @throws for any other text */
function unpackPage({ status, headers, body }: PageResponse): { response: PageResponse; until: number } {
  const end = body.indexOf('\n');
  const { until, tag, brBytes } = factsSchema.parse(JSON.parse(body.toString('utf8', 0, end)));
  const forms = body.subarray(end + 1);
  const encoded = { tag, br: forms.subarray(0, brBytes), gzip: forms.subarray(brBytes) };
  return { response: { status, headers, body: Buffer.alloc(0), encoded }, until };
}
