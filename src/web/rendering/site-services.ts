import type { FastifyBaseLogger } from 'fastify';
import { asFailure, Failure } from '../../failures/failures.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import { resolveFor } from '../endpoints/resolve.ts';
import { statuses } from '../http/answers/statuses.ts';
import type { Visitor } from '../http/visitor/visitor.ts';
import type { Audience, SiteServices } from '../loaders/services.ts';
import { errorAnswer } from '../server/errors.ts';
import type { ServerParts } from '../server/parts.ts';

const failures = Object.entries(statuses).map(([key, status]) => ({ key, status }));

/** Whose page it is. */
export interface Requester {
  /** Of the request. */
  readonly id: string;
  /** That was asked. */
  readonly host: string;
  readonly visitor: Visitor;
  /** Aborted when the client went away. */
  readonly signal: AbortSignal;
  readonly log: FastifyBaseLogger;
}

/** What stands on a page besides what its address says, and whether anybody reads it. */
type Shown = Pick<SiteServices, 'failure' | 'screen' | 'hasReader'>;

/** What the pages of one request may ask of the server. */
export function siteServices(
  parts: ServerParts,
  requester: Requester & { readonly audience: Audience },
  { failure, screen, hasReader }: Shown,
): SiteServices {
  const { id, visitor, log, audience } = requester;
  return {
    ...parts.featureServices,
    configuration: parts.configuration,
    origin: parts.origin,
    content: parts.content,
    contentRenderer: parts.contentRenderer,
    visitorSettings: parts.visitorSettings,
    toolParts: parts.toolParts,
    requestId: id,
    audience,
    failures,
    refuse: (key, locale) => errorAnswer(new Failure(key), locale),
    failure,
    screen,
    messages: loadMessages,
    hasReader,
    async resolve(text, locale, module) {
      try {
        return await resolveFor(parts, text, module, requester);
      } catch (thrown) {
        // Nobody waits for a page that says so.
        if (requester.signal.aborted) throw thrown;
        const failed = asFailure(thrown);
        log[statuses[failed.key] === 500 ? 'error' : 'info'](
          { err: failed, key: failed.key },
          'not resolved',
        );
        return errorAnswer(failed, locale);
      }
    },
    sendMessage: (sent) => parts.receiveMessage(sent, { visitor, log }),
    reportError: (error) => log.error({ err: error }, 'page failed'),
  };
}
