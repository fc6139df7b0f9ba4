import { languages } from '../../../i18n/languages.ts';
import { redirect, redirectStatus } from '../../http/answers/redirect.ts';
import type { RouteStep } from '../exchange.ts';

/**
 * Sends old and oddly written language prefixes to the right ones for good (`/ph/x`, `/en/x`, `/tr/tr/x`, `/DE/x`),
 * and names the page's language in its answer. The browser's router has such addresses answered by the page itself.
 */
export function i18n(): RouteStep {
  return {
    name: 'i18n',
    before: (next) => (exchange) => {
      const { address, kind, method, search } = exchange;
      if (kind !== 'document') return next(exchange);
      if (address.redirect !== undefined) return redirect(redirectStatus(method), address.redirect + search);
      exchange.answerHeaders['content-language'] = languages[address.locale].lang;
      return next(exchange);
    },
  };
}
