import { asFailure, failureStatuses } from '../../downloader/failures.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import type { SiteServices } from '../../site/loaders/services.ts';
import { resolveFor } from '../endpoints/resolve.ts';
import { errorAnswer } from '../errors.ts';
import type { ServerParts } from '../parts.ts';
import type { PageExchange } from '../pipeline/exchange.ts';

const failures = Object.entries(failureStatuses).map(([key, status]) => ({ key, status }));

/** What of an exchange the pages' services depend on. */
type Asker = Pick<PageExchange, 'id' | 'visitor' | 'signal' | 'log' | 'audience'>;

/** What stands on a page besides what its address says. */
type Shown = Pick<SiteServices, 'failure' | 'screen'>;

/** What the pages of one request may ask of the server. */
export function siteServices(parts: ServerParts, exchange: Asker, { failure, screen }: Shown): SiteServices {
  const { log } = exchange;
  return {
    configuration: parts.configuration,
    origin: parts.origin,
    content: parts.content,
    texts: parts.texts,
    requestId: exchange.id,
    audience: exchange.audience,
    failures,
    failure,
    screen,
    messages: loadMessages,
    async resolve(text, locale, module) {
      try {
        return await resolveFor(parts, text, module, exchange.visitor, exchange.signal);
      } catch (thrown) {
        const failed = asFailure(thrown);
        log[failed.status === 500 ? 'error' : 'info']({ err: failed, key: failed.key }, 'not resolved');
        return errorAnswer(failed, locale);
      }
    },
    sendMessage: (sent) => parts.messageDesk(sent, exchange),
    reportError: (error) => log.error({ err: error }, 'page failed'),
  };
}
