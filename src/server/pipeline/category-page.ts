import { setTimeout as pause } from 'node:timers/promises';
import type { Locale } from '../../i18n/languages.ts';
import { storedItems } from '../../site/visitors/stored/stored-items.ts';
import { writeCookie } from '../http/visitor/cookies.ts';
import type { RouteContext, RouteStep } from './route-context.ts';

const { lifeS } = storedItems.category_page;
const pages = /^(?:posts|view-articles)(?:-new1)?(?:\/|$)/;

/** Longest time a page waits for its cookie. */
const patienceMs = 100;

/** For this long after a failed query, pages do not wait for the categories. */
const restMs = 5000;

/** The uids of a language's categories, in their order. */
export type CategoryUids = (locale: Locale) => Promise<readonly string[]>;

/**
 * Sets the cookie `category_page` for visitors of the blog's lists: the uids of the categories, the same for all
 * visitors. If they are unavailable, the page is sent with the previous ones, or without.
 * @param now monotonic clock in ms
 */
export function categoryPage(categoryUids: CategoryUids, now = () => performance.now()): RouteStep {
  const before = new Map<Locale, readonly string[]>();
  let restsUntil = 0;

  async function read(locale: Locale): Promise<boolean> {
    before.set(locale, await categoryUids(locale));
    return true;
  }

  /** Waits for a moment at most. */
  async function refresh({ address, log }: RouteContext): Promise<void> {
    if (now() < restsUntil) return;
    try {
      // Later rejections are handled by the race.
      const late = pause(patienceMs, false, { ref: false });
      if (!(await Promise.race([read(address.locale), late]))) restsUntil = now() + restMs;
    } catch (error) {
      restsUntil = now() + restMs;
      log.warn({ err: error }, 'categories could not be read');
    }
  }

  async function give(context: RouteContext): Promise<void> {
    const { address, cookies, isSecure } = context;
    await refresh(context);
    const uids = before.get(address.locale) ?? [];
    const value = uids.filter((uid) => /^[\w-]{1,100}$/.test(uid)).join(',');
    if (value === '' || context.sentCookie('category_page') === value) return;
    cookies.push(
      writeCookie({ name: 'category_page', value, maxAgeS: lifeS, isForScripts: false }, isSecure),
    );
  }
  return {
    name: 'category-page',
    before: (next) => (context) => {
      const { kind, method, address } = context;
      const isOfBlog = kind === 'document' && method === 'GET' && pages.test(address.page);
      return isOfBlog ? give(context).then(() => next(context)) : next(context);
    },
  };
}
