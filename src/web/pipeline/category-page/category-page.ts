import { setTimeout as pause } from 'node:timers/promises';
import type { Locale } from '../../../i18n/languages.ts';
import { writeCookie } from '../../http/visitor/cookies.ts';
import { storedItems } from '../../visitors/stored/stored-items.ts';
import type { PageExchange, RouteStep } from '../exchange.ts';

const { lifeS } = storedItems.category_page;
const pages = /^(?:posts|view-articles)(?:-new1)?(?:\/|$)/;

/** No page waits longer for its cookie. */
const patienceMs = 100;

/** After the categories were not to be had in time, nobody waits for them for so long. */
const restMs = 5000;

/** The uids of a language's categories, in their order. */
export type CategoryUids = (locale: Locale) => Promise<readonly string[]>;

/**
 * Gives visitors of the blog's lists the cookie `category_page`: the uids of the categories there are, the same for
 * everybody. Where they cannot be had at once, the page comes with those of before, or without.
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
  async function refresh({ address, log }: PageExchange): Promise<void> {
    if (now() < restsUntil) return;
    try {
      // What fails after this moment fails unheard: the race has taken it.
      const late = pause(patienceMs, false, { ref: false });
      if (!(await Promise.race([read(address.locale), late]))) restsUntil = now() + restMs;
    } catch (error) {
      restsUntil = now() + restMs;
      log.warn({ err: error }, 'categories could not be read');
    }
  }

  async function give(exchange: PageExchange): Promise<void> {
    const { address, cookies, isSecure } = exchange;
    await refresh(exchange);
    const uids = before.get(address.locale) ?? [];
    const value = uids.filter((uid) => /^[\w-]{1,100}$/.test(uid)).join(',');
    if (value === '' || exchange.sentCookie('category_page') === value) return;
    cookies.push(
      writeCookie({ name: 'category_page', value, maxAgeS: lifeS, isForScripts: false }, isSecure),
    );
  }
  return {
    name: 'category-page',
    before: (next) => (exchange) => {
      const { kind, method, address } = exchange;
      const isOfBlog = kind === 'document' && method === 'GET' && pages.test(address.page);
      return isOfBlog ? give(exchange).then(() => next(exchange)) : next(exchange);
    },
  };
}
