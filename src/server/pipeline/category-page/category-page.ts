import type { Locale } from '../../../i18n/languages.ts';
import { readCookie, writeCookie } from '../cookies.ts';
import type { PageExchange, RouteStep } from '../exchange.ts';

const lifeS = 86_400;
const pages = /^(?:posts|view-articles)(?:-new1)?(?:\/|$)/;

/** The uids of a language's categories, in their order. */
export type CategoryUids = (locale: Locale) => Promise<readonly string[]>;

/**
 * Gives visitors of the blog's lists the cookie `category_page`: the uids of the categories there are, the same for
 * everybody. When they cannot be had, the page comes without it.
 */
export function categoryPage(categoryUids: CategoryUids): RouteStep {
  async function give({ address, headers, cookies, isSecure, log }: PageExchange): Promise<void> {
    try {
      const uids = await categoryUids(address.locale);
      const value = uids.filter((uid) => /^[\w-]{1,100}$/.test(uid)).join(',');
      if (value === '' || readCookie(headers.cookie, 'category_page') === value) return;
      cookies.push(
        writeCookie({ name: 'category_page', value, maxAgeS: lifeS, isForScripts: false }, isSecure),
      );
    } catch (error) {
      log.warn({ err: error }, 'categories could not be read');
    }
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
