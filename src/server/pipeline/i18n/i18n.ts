import { languages } from '../../../i18n/languages.ts';
import type { PageAnswer, RouteStep } from '../exchange.ts';
import { redirect } from '../redirect.ts';

/**
 * Sends old and oddly written language prefixes to the right ones for good (`/ph/x`, `/en/x`, `/tr/tr/x`, `/DE/x`),
 * and names the page's language in its answer. The browser's router has such addresses answered by the page itself.
 */
export function i18n(): RouteStep {
  const named = (answer: PageAnswer, lang: string): PageAnswer =>
    answer.status >= 300 && answer.status < 400
      ? answer
      : { ...answer, headers: { ...answer.headers, 'content-language': lang } };
  return {
    name: 'i18n',
    before: (next) => (exchange) => {
      const { address, kind, method, search } = exchange;
      if (kind !== 'document') return next(exchange);
      if (address.redirect !== undefined && (method === 'GET' || method === 'HEAD'))
        return redirect(301, address.redirect + search);
      const { lang } = languages[address.locale];
      const answer = next(exchange);
      return answer instanceof Promise ? answer.then((one) => named(one, lang)) : named(answer, lang);
    },
  };
}
