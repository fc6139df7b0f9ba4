import { z } from 'zod';
import type { KnownRedact, Redact } from './browser/redact.ts';

/** How each kind of text in a report is redacted. */
export interface Redactions {
  readonly sentence: Redact;
  /** For addresses of pages and files, and paths. */
  readonly address: Redact;
  /** Takes addresses out of any text, and leaves the rest. */
  readonly links: Redact;
  /** Takes out what is known of the visitor. */
  readonly known: KnownRedact;
}

const hexId = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`));
const uuid = hexId(32);
const spanId = hexId(16);
const time = z.number().min(0).max(1e11);
const language = z.string().regex(/^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/);
const sdk = z
  .object({
    name: z.string().regex(/^sentry(?:\.[a-z]+)+$/),
    version: z.string().regex(/^\d+\.\d+\.\d+$/),
  })
  // The address that a report comes from must not identify anybody either.
  .transform((given) => ({ ...given, settings: { infer_ip: 'never' } }));
/** Real reports have fewer; cleaning a forged one must not keep the process busy. */
const mostFrames = 50;
const mostExceptions = 5;
const mostSpans = 200;
const longestText = 4000;
const longestPlace = 500;

/** Texts that are too long are dropped whole: truncation could cut a secret into an unrecognisable part. */
const upTo = (most: number, redact: Redact) =>
  z.string().transform((value) => (value.length > most ? '[…]' : redact(value)));

/** The last ones of a list. */
const lastOf = <T extends z.ZodType>(schema: T, most: number) =>
  z.preprocess((list) => (Array.isArray(list) ? list.slice(-most) : list), z.array(schema));

const kept = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

/**
 * The permitted fields of an event (the protocol's names: develop.sentry.dev, event payloads and transactions). All
 * others are dropped: breadcrumbs, the user, headers, cookies, bodies, extras, local variables.
 */
export function eventSchema({ sentence, address }: Redactions) {
  const text = upTo(longestText, sentence);
  // A name of the program's own, like "resource.script".
  const word = z
    .string()
    .max(60)
    .regex(/^[A-Za-z]+(?:[._-][A-Za-z]+)*$/)
    .transform((value) => sentence(value));
  const place = upTo(longestPlace, address);
  const frame = z.object({
    filename: kept(place),
    function: kept(place),
    lineno: kept(z.int()),
    colno: kept(z.int()),
    in_app: kept(z.boolean()),
  });
  const exception = z.object({
    type: kept(text),
    value: kept(text),
    mechanism: kept(
      z.object({
        type: word,
        handled: kept(z.boolean()),
        synthetic: kept(z.boolean()),
        exception_id: kept(z.int()),
        parent_id: kept(z.int()),
        source: kept(word),
      }),
    ),
    stacktrace: kept(z.object({ frames: lastOf(frame, mostFrames) })),
  });
  const traceFields = {
    trace_id: uuid,
    span_id: spanId,
    parent_span_id: kept(spanId),
    op: kept(word),
    status: kept(word),
    origin: kept(word),
  };
  const span = z.object({
    ...traceFields,
    description: kept(place),
    start_timestamp: time,
    timestamp: kept(time),
  });
  return z.object({
    event_id: uuid,
    type: kept(z.literal('transaction')),
    timestamp: kept(time),
    start_timestamp: kept(time),
    level: kept(z.enum(['fatal', 'error', 'warning', 'info', 'debug'])),
    platform: z.enum(['javascript', 'node']).catch('javascript'),
    transaction: kept(place),
    message: kept(text),
    request: kept(z.object({ url: place })),
    exception: kept(z.object({ values: lastOf(exception, mostExceptions) })),
    tags: kept(z.object({ request_id: kept(z.uuid()), locale: kept(language), replayId: kept(uuid) })),
    contexts: kept(
      z.object({
        trace: kept(z.object(traceFields)),
        replay: kept(z.object({ replay_id: uuid })),
      }),
    ),
    spans: kept(lastOf(span, mostSpans)),
    measurements: kept(
      z.record(z.string().regex(/^[\w.]{1,50}$/), z.object({ value: z.number(), unit: kept(word) })),
    ),
    sdk: kept(sdk),
  });
}

/** The permitted fields of a recording's description. */
export function replayEventSchema({ address }: Redactions) {
  return z.object({
    type: z.literal('replay_event'),
    event_id: uuid,
    replay_id: uuid,
    segment_id: z.int().min(0),
    timestamp: time,
    replay_start_timestamp: kept(time),
    replay_type: z.enum(['session', 'buffer']),
    urls: z
      .array(z.string().transform((value) => address(value)))
      .max(100)
      .catch([]),
    error_ids: z.array(uuid).max(100).catch([]),
    trace_ids: z.array(uuid).max(100).catch([]),
    platform: z.literal('javascript').catch('javascript'),
    sdk: kept(sdk),
  });
}
