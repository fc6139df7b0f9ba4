import {
  BrowserClient,
  dedupeIntegration,
  defaultStackParser,
  type Event,
  eventFiltersIntegration,
  linkedErrorsIntegration,
  makeFetchTransport,
  setCurrentClient,
} from '@sentry/browser';
import { takeErrors } from '../../../site/browser/early-errors.ts';
import { currentConsent, onConsent } from '../../../site/consent/current-consent.ts';
import type { VisitorSettings } from '../../../site/visitors/settings.ts';
import { namesOfPages, redactSentences, withoutSecrets } from './redact.ts';

/** On this site, which passes reports on: the browser contacts no other server, and knows no key. */
const address = '/api/monitoring';

/** The visitor's typed, requested and stored values. */
function* secrets(): Generator<string> {
  for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea')) yield field.value;
  yield* new URLSearchParams(location.search).values();
  for (const cookie of document.cookie.split('; ')) {
    const end = cookie.indexOf('=');
    if (!namesOfPages.has(cookie.slice(0, end))) yield cookie.slice(end + 1);
  }
}

/** Leaves of a report what says where in the program something happened. The server looks at the rest once more. */
function withoutVisitor<Report extends Event>(report: Report): Report {
  const withoutKnown = withoutSecrets(secrets());
  // The client's own notes are not sent, and may go in circles.
  const {
    breadcrumbs: _,
    user: _user,
    extra: _extra,
    request: _request,
    sdkProcessingMetadata,
    ...rest
  } = report;
  // In texts only: a number or a name of the report's own may contain the same characters.
  const event = JSON.parse(JSON.stringify(rest), (_, value) =>
    typeof value === 'string' ? withoutKnown(value) : value,
  ) as Report;
  const redact = redactSentences(withoutKnown, [location.origin]);
  for (const exception of event.exception?.values ?? [])
    if (exception.value !== undefined) exception.value = redact(exception.value);
  const { tags } = event;
  return {
    ...event,
    ...(rest.type !== undefined && { type: rest.type }),
    ...(sdkProcessingMetadata !== undefined && { sdkProcessingMetadata }),
    request: { url: location.origin + location.pathname },
    // An error with a recording's number makes the server keep the recording, when visits are recorded for errors only.
    tags: {
      locale: document.documentElement.lang,
      ...(tags?.replayId !== undefined && { replayId: tags.replayId }),
    },
  };
}

/** Reports errors from now on, and those that were noted; with consent, how fast the site is and how it was used. */
export function start({ monitoring }: VisitorSettings): void {
  if (monitoring === undefined) return;
  const { session_sample_rate, error_session_sample_rate, trace_sample_rate } = monitoring;
  const client = new BrowserClient({
    // A placeholder: the server replaces it by the operator's.
    dsn: `${location.protocol}//browser@${location.host}/0`,
    tunnel: address,
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    integrations: [eventFiltersIntegration(), linkedErrorsIntegration(), dedupeIntegration()],
    sendClientReports: false,
    dataCollection: { userInfo: false },
    traceLifecycle: 'static',
    // After a withdrawal of consent nothing is timed.
    tracesSampler: () => (currentConsent().statistics ? trace_sample_rate : 0),
    tracePropagationTargets: [],
    replaysSessionSampleRate: session_sample_rate,
    replaysOnErrorSampleRate: error_session_sample_rate,
    beforeSend: withoutVisitor,
    // A page may have been timed since before that.
    beforeSendTransaction: (timing) => (currentConsent().statistics ? withoutVisitor(timing) : null),
  });
  setCurrentClient(client);
  client.init();
  takeErrors((error) => {
    // Errors of foreign scripts, an extension's for example, are ignored.
    if (error !== null && error !== undefined)
      client.captureException(error, { mechanism: { type: 'page', handled: false } });
  });
  const end = onConsent(({ statistics }) => {
    if (!statistics) return;
    queueMicrotask(() => end());
    void import('./recording.ts').then(({ record }) => record(client));
  });
}
