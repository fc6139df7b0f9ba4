import { languages } from '../../i18n/languages.ts';
import { redirect, redirectStatus } from '../http/responses/redirect.ts';
import type { RouteStep } from './route-context.ts';

/**
 * Redirects old and malformed language prefixes permanently (`/ph/x`, `/en/x`, `/tr/tr/x`, `/DE/x`), and states the
 * page's language in the response. For the browser's router, the page itself handles such addresses.
 */
export function i18n(): RouteStep {
  return {
    name: 'i18n',
    before: (next) => (context) => {
      const { address, kind, method, search } = context;
      if (kind !== 'document') return next(context);
      if (address.redirect !== undefined) return redirect(redirectStatus(method), address.redirect + search);
      context.responseHeaders['content-language'] = languages[address.locale].lang;
      return next(context);
    },
  };
}
