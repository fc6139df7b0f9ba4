import { parseAddress } from '../../site/addressing/addresses.ts';
import { pageKeyOf } from '../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import { type Experiment, isRunning } from '../../site/visitors/experiment.ts';
import type { Upload } from './report-schema.ts';
import type { Visit } from './report-visit.ts';

interface Received {
  readonly configuration: SiteConfiguration;
  readonly visit: Visit;
  /** The facts about the browser: never its address, nor its user agent. */
  readonly sender: Readonly<Record<'device' | 'browser' | 'system', string>>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A stored report. */
export type Report = ReturnType<typeof toReports>[number];

/** The reports of one request, as they are stored. */
export function toReports(uploads: readonly Upload[], { configuration, visit, sender, now }: Received) {
  const { token, session, isFirstOfDay, isFirstOfVisit, isVisitCounted } = visit;
  const addresses = new Set(uploads.map(({ data }) => data.url));
  const places = new Map([...addresses].map((url) => [url, placeOf(url, configuration)]));
  return uploads.map(({ upload_id, mode, data }, at) => {
    const { path, page, locale } = places.get(data.url) ?? placeOf(data.url, configuration);
    const ab_try_list = trialsOf(data, path, configuration.experiments, now);
    return {
      uploadId: upload_id,
      madeAt: now,
      ...{ mode, token, session, page, locale },
      ...sender,
      isFirstOfDay: isFirstOfDay && at === 0,
      isFirstOfVisit: isFirstOfVisit && at === 0,
      isVisitCounted,
      payload: storedPayload({ ...data, ab_try_list }),
    };
  });
}

/** A report's page without its language, in the form of addresses, its key, and its language. */
function placeOf(url: string | undefined, configuration: SiteConfiguration) {
  if (url === undefined) return { path: null, page: 'other', locale: configuration.default_locale };
  // After the scheme and the host.
  const { page: path, locale } = parseAddress(url.slice(url.indexOf('/', 'https://'.length)), configuration);
  return { path, page: pageKeyOf(configuration, path), locale };
}

/** The reported experiments that the visitor sees on the page, with valid variants only. */
function trialsOf(
  { ab_try_list = [] }: Upload['data'],
  path: string | null,
  experiments: readonly Experiment[],
  now: number,
) {
  const running = experiments.filter((one) => path !== null && isRunning(one, `/${path}`, now));
  return ab_try_list.filter(({ key, value }) =>
    running.some(({ name, variants }) => name === key && variants.some((one) => one.name === value)),
  );
}

/**
 * The stored part of a report's data. Names have columns of their own; e-mail and device addresses are useless for
 * statistics; the other dropped fields repeat a column, or are the same for all visitors.
 */
export function storedPayload({
  email: _email,
  mac: _mac,
  token_id: _token,
  tmp_token_id: _ownToken,
  s_id: _session,
  finger_id: _finger,
  xargs_request_type: _request,
  ga_ids: _day,
  lang_domain: _language,
  web_version: _version,
  ...kept
}: ReportedEvent) {
  return kept;
}

/** An event says all that a page view does. */
type ReportedEvent = Partial<Extract<Upload, { mode: 'event' }>['data']>;
