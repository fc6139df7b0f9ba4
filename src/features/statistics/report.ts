import { z } from 'zod';
import { parseAddress } from '../../site/addressing/addresses.ts';
import { pageKeyOf } from '../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import { randomName } from '../../site/consent/random-name.ts';
import { type Experiment, isRunning } from '../../site/visitors/experiment.ts';
import type { Visit } from './visits.ts';

/** Limit of reports in one list. */
export const mostInList = 20;

const word = (pattern: RegExp, most: number) =>
  z.string().max(most).regex(pattern, 'is not written as it should be');

/** Addresses that are longer are cut: the site's own are shorter. */
const mostOfAddress = 300;

/** @param kept the stored part of an address: never its query, which may contain the visitor's pasted link */
const address = (kept: (url: URL) => string) =>
  z
    .string()
    .max(2000)
    .transform((text, { issues }) => {
      const url = /^https?:/.test(text) ? URL.parse(text) : null;
      if (url !== null) return kept(url).slice(0, mostOfAddress);
      issues.push({ code: 'custom', message: 'is no address', input: text });
      return z.NEVER;
    });

const page = address(({ origin, pathname }) => origin + pathname);

/** A link's target, as a path or a whole address, without the query. */
const target = z
  .string()
  .max(2000)
  .transform((written) => written.replace(/[?#].*$/s, '').slice(0, mostOfAddress));

const text = (most: number) => z.string().max(most);
const pixels = z.coerce.number().int().min(0).max(10_000_000);
const textOrNumber = (most: number) => z.union([text(most), z.number()]).transform(String);
const shortText = textOrNumber(100);
/** Numbers of programs, partners and versions. */
const number = textOrNumber(60);

const tryEntry = z.object({
  key: word(/^[\w-]+$/, 60),
  version: number.optional(),
  value: word(/^[\w-]+$/, 60),
  expire_day: z.coerce.number().min(0).max(10_000).optional(),
});

const installation = z.object({
  package_name: text(100).optional(),
  app_id: number.optional(),
  pid: number.optional(),
  download_url: target.optional(),
});

const fileFacts = z.object({
  format: word(/^[\w-]+$/, 20),
  option: word(/^[\w.-]+$/, 40).optional(),
  outcome: word(/^\w+$/, 60),
  first_byte_ms: z.number().min(0).max(86_400_000).optional(),
  end_ms: z.number().min(0).max(86_400_000).optional(),
});

/** The data of a page view; an event has the same, and further fields. */
const tracked = {
  email: text(254).optional(),
  mac: text(60).optional(),
  token_id: randomName.optional(),
  tmp_token_id: randomName.optional(),
  url: page.optional(),
  // A referring address on another site is private, including its name; an application is no site.
  referer_url: address(({ origin }) => origin)
    .optional()
    .catch(undefined),
  finger_id: randomName.optional(),
  scroll_height: pixels.optional(),
  viewport_height: pixels.optional(),
  viewport_width: pixels.optional(),
  web_version: text(20).optional(),
  s_id: randomName.optional(),
  ga_ids: z.record(text(40), z.union([text(100), z.number()])).optional(),
  lang_domain: text(100).optional(),
  xargs_request_type: z.enum(['send_beacon', 'axios']).optional(),
  highest_page_viewed_percent: z.coerce.number().min(0).max(100).optional(),
  ab_try_list: z.array(tryEntry).max(20).optional(),
  visit_timestamp: z.coerce.number().int().min(0).max(8_640_000_000_000).optional(),
  doc_id: randomName.optional(),
};

const happened = {
  event: word(/^\w+$/, 60),
  event_category: text(60).optional(),
  event_label: shortText.optional(),
  event_value: shortText.optional(),
  event_target: z.object({ url: target.optional(), fullurl: page.optional() }).optional(),
  pids: z.union([z.array(number).max(5), number]).optional(),
  install: installation.optional(),
  file: fileFacts.optional(),
};

const isNothing = (value: unknown) => value === null || value === '' || value === 'undefined';

/** Removes empty values from the data: they count as absent. */
function stripped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = value as Record<string, unknown>;
  for (const key of Object.keys(fields))
    if (isNothing(fields[key])) delete fields[key];
    else stripped(fields[key]);
  return fields;
}

/** The data of a page view. */
export const pageViewData = z.object(tracked);

/** The data of a visitor's action. */
export const eventData = z.object({ ...tracked, ...happened });

const upload = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('page_view'), upload_id: z.uuid(), data: z.preprocess(stripped, pageViewData) }),
  z.object({ mode: z.literal('event'), upload_id: z.uuid(), data: z.preprocess(stripped, eventData) }),
]);

/** One report as a browser sends it, checked. Unknown keys are dropped. */
type Upload = z.infer<typeof upload>;

/** Reports in one request, or the key that is wrong in them. */
export type ReadUploads =
  | { readonly uploads: readonly Upload[] }
  | { readonly wrongKey: string; readonly reason: string };

const lists = z.array(upload).min(1).max(mostInList);

/**
 * Parses the body of `POST /api/web/report`: one report, or a list.
 * @param body fresh JSON, from which empty values are removed
 */
export function readUploads(body: unknown): ReadUploads {
  const isList = Array.isArray(body);
  const result = isList ? lists.safeParse(body) : upload.safeParse(body);
  if (result.success) return { uploads: [result.data].flat() };
  const [issue] = result.error.issues;
  return { wrongKey: issue?.path.join('.') ?? '', reason: issue?.message ?? 'is wrong' };
}

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
