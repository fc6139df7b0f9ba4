import type { PageResponse } from '../http/responses/response.ts';
import { type BoundedStore, createBoundedStore } from './bounded-store.ts';
import { bytesOfPage } from './prepared-page.ts';

interface CachedPage {
  readonly response: PageResponse;
  /** End of its freshness, by the clock. */
  readonly freshUntil: number;
}

/** How long a stale page may still be shown while it cannot be rendered. */
const staleMs = 3_600_000;

/** Prepared pages in the memory of this process. */
export interface LocalPages
  extends Pick<BoundedStore<CachedPage>, 'keys' | 'delete' | 'deleteBySuffix' | 'clear'> {
  /** A page that is not too old; undefined without. */
  peek(key: string): PageResponse | undefined;
  /** A page of any age. */
  stale(key: string): PageResponse | undefined;
  keep(key: string, prepared: PageResponse, lifeMs: number): void;
}

/** @param now monotonic clock in ms */
export function createLocalPages(maxBytes: number, now: () => number): LocalPages {
  const pages = createBoundedStore<CachedPage>({
    maxBytes,
    bytesOf: ({ response }) => bytesOfPage(response),
    now,
  });
  return {
    peek(key) {
      const page = pages.get(key)?.value;
      return page !== undefined && page.freshUntil > now() ? page.response : undefined;
    },
    stale: (key) => pages.get(key)?.value.response,
    keep(key, response, lifeMs) {
      const value = { response, freshUntil: now() + lifeMs };
      pages.set(key, { value, version: '' }, lifeMs + staleMs);
    },
    keys: pages.keys,
    delete: pages.delete,
    deleteBySuffix: pages.deleteBySuffix,
    clear: pages.clear,
  };
}
