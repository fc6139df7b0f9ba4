import type { FastifyBaseLogger } from 'fastify';
import type { Content } from '../../content/content.ts';
import { isStandIn, refuseStandIn } from '../../content/stand-in.ts';
import { asFailure, Failure } from '../../failures/failures.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import type { Locale } from '../../i18n/languages.ts';
import type { ErrorResponse } from '../../site/api.ts';
import type { MessageOutcome, SentForm } from '../../site/forms.ts';
import { type Audience, defineService, type SiteServices } from '../../site/loaders/services.ts';
import { readPlatformList } from '../endpoints/platform-list.ts';
import { resolveFor } from '../endpoints/resolve.ts';
import { statuses } from '../http/responses/statuses.ts';
import type { Visitor } from '../http/visitor/visitor.ts';
import { errorResponse } from '../instance/errors.ts';
import type { ServerDependencies } from '../instance/parts.ts';

const failures = Object.entries(statuses).map(([key, status]) => ({ key, status }));

/** Takes what a visitor writes to the operator. */
export type MessageReceiver = (
  sent: SentForm,
  sender: { readonly visitor: Visitor; readonly log: FastifyBaseLogger },
) => Promise<MessageOutcome>;

/** Receives the forms of pages. Without a feature that does, visitors read that the site takes no messages now. */
export const messageReceiver = defineService<MessageReceiver>('messages', async () => ({
  kind: 'failed',
  values: {},
  reason: 'unavailable',
}));

/** Whose page it is. */
export interface Requester {
  /** The request's id. */
  readonly id: string;
  /** The requested host. */
  readonly host: string;
  readonly visitor: Visitor;
  /** Aborted when the client went away. */
  readonly signal: AbortSignal;
  readonly log: FastifyBaseLogger;
}

/** Content that notes whether any of its lists is a stand-in. */
function notingStandIns(content: Content) {
  let isIncomplete = false;
  const note = async <T extends object>(asked: Promise<T>): Promise<T> => {
    const list = await asked;
    isIncomplete ||= isStandIn(list);
    return list;
  };
  return {
    content: {
      ...content,
      selection: (wanted) => note(content.selection(wanted)),
      categories: (locale) => note(content.categories(locale)),
    } satisfies Content,
    isIncomplete: () => isIncomplete,
  };
}

/**
 * The services of one request for its pages.
 * @param shown the content of a page besides that of its address, and whether it has a reader
 */
export function siteServices(
  parts: ServerDependencies,
  requester: Requester & { readonly audience: Audience },
  shown: Pick<SiteServices, 'failure' | 'screen' | 'hasReader'>,
): SiteServices {
  const { content, isIncomplete } = notingStandIns(parts.content);
  const { id, host, visitor, signal, log, audience } = requester;
  async function answer<T>(locale: Locale, ask: () => Promise<T>): Promise<T | ErrorResponse> {
    try {
      return await ask();
    } catch (thrown) {
      // The client has left: nobody waits for the page.
      if (signal.aborted) throw thrown;
      const failed = asFailure(thrown);
      log[statuses[failed.key] === 500 ? 'error' : 'info']({ err: failed, key: failed.key }, 'not resolved');
      return errorResponse(failed, locale);
    }
  }
  return {
    featureServices: parts.featureServices,
    configuration: parts.configuration,
    origin: parts.origin,
    logo: parts.own.logo,
    content,
    isIncomplete,
    refuseStandIn,
    contentRenderer: parts.contentRenderer,
    visitorSettings: parts.visitorSettings,
    requestId: id,
    audience,
    failures,
    refuse: (key, locale) => errorResponse(new Failure(key), locale),
    ...shown,
    messages: loadMessages,
    isDeadExample: (url) => parts.examples.isDead(url),
    resolve: (text, locale, module, again) =>
      answer(locale, () => resolveFor(parts, text, module, { host, visitor, signal, again })),
    list: (url, locale) =>
      answer(locale, async () => ({
        code: 200,
        result: await readPlatformList(url, { visitor, disconnected: signal }, parts),
      })),
    sendMessage: (sent) => messageReceiver.of(parts)(sent, { visitor, log }),
    reportError: (error) => log.error({ err: error }, 'page failed'),
  };
}
