import {
  applyAggregateErrorsToEvent,
  createStackParser,
  createTransport,
  type DsnComponents,
  type Envelope,
  type Event,
  exceptionFromError,
  getEnvelopeEndpointWithUrlEncodedAuth,
  makeDsn,
  type Transport,
} from '@sentry/core';
import { nodeStackLineParser } from '@sentry/core/server';
import { browserOf } from '../../server/http/visitor/user-agent.ts';
import { deviceOf } from '../../site/state/device.ts';
import { systemOf } from '../../site/state/system.ts';
import { cleanEnvelope, redactionsFor } from './clean-envelope.ts';
import type { MonitoringConfiguration } from './configuration.ts';
import { eventSchema } from './event-schema.ts';
import { type MonitoredRequest, secretsOf } from './secrets.ts';

/** Names and values in all items together. The first recording of the site's longest page has 14,000. */
const mostValues = 24_000;
/** A browser's envelope has its own header, and for each item a header and one line, or two of a recording. */
const mostLines = 32;

const [newline, quote, comma, colon, backslash] = [0x0a, 0x22, 0x2c, 0x3a, 0x5c];
const [list, object] = [0x5b, 0x7b];

/**
 * Whether a report has so many lines, names or values that parsing and cleaning it would keep the process busy. Counts
 * commas, colons and opening brackets outside texts: parsing takes long when every object has different names.
 */
export function isOversized(report: Uint8Array): boolean {
  let [lines, values, isText] = [1, 0, false];
  for (let at = 0; at < report.length; at += 1) {
    const byte = report[at];
    // JSON texts contain no line breaks.
    if (byte === newline) [lines, isText] = [lines + 1, false];
    else if (byte === quote) isText = !isText;
    else if (isText) at += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === colon || byte === list || byte === object) values += 1;
    if (lines > mostLines || values > mostValues) return true;
  }
  return false;
}

/**
 * The client key of a browser: its host's and device's, else the default one.
 * @param host with or without a port
 * @returns empty for the DSN's own key
 */
function keyFor(
  { keys, default_keys }: Pick<MonitoringConfiguration, 'keys' | 'default_keys'>,
  host: string,
  device: 'desktop' | 'mobile',
): Partial<Pick<DsnComponents, 'publicKey' | 'projectId'>> {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  const key = keys.get(name)?.[device] ?? default_keys[device];
  if (key === undefined) return {};
  const [publicKey = '', projectId] = key.split('/');
  return { publicKey, ...(projectId !== undefined && { projectId }) };
}

/** The sender of a report: decides on its target, and on secrets to remove. */
interface Reporter {
  /** The requested host. */
  readonly host: string;
  readonly userAgent: string;
  /** The visitor's own values: cookies, the address, typed text. */
  readonly secrets: Iterable<string>;
}

/** The outcome of a report; `oversized`: cleaning it would take too long. */
type ReportResult = 'sent' | 'refused' | 'failed' | 'dropped' | 'oversized';

export interface MonitoringOptions {
  readonly dsn: string;
  readonly configuration: MonitoringConfiguration;
  /** The build's version. */
  readonly release: string;
  /** This site's origins, whose paths may be reported. */
  readonly origins: readonly string[];
  /** The folder of the program, which the frames of stacks are named from. */
  readonly root: string;
  readonly fetch: typeof globalThis.fetch;
  /** Monotonic clock in ms. */
  readonly now: () => number;
  /** Called for every report. */
  readonly observe: (source: 'browser' | 'server', result: ReportResult, error?: unknown) => void;
}

/** The errors behind an error that are reported with it. */
const mostCauses = 5;
const limitMs = 10_000;
/** Limit of concurrent reports for each key; more are dropped. */
const mostWaiting = 30;

/** For this server's own errors: when its database is unreachable, every request fails. */
const mostEventsAMinute = 60;

/** A limit per minute. @returns spends one; false when none is left */
function createBudget(most: number, now: () => number): () => boolean {
  let since = now();
  let spent = 0;
  return () => {
    if (now() - since >= 60_000) [since, spent] = [now(), 0];
    spent += 1;
    return spent <= most;
  };
}

const parseStack = createStackParser(nodeStackLineParser());

/** Sends envelopes to one key, and respects the server's rate limits. */
function openTransport(
  dsn: DsnComponents,
  { fetch, observe }: MonitoringOptions,
  source: 'browser' | 'server',
) {
  const url = getEnvelopeEndpointWithUrlEncodedAuth(dsn);
  return createTransport({ bufferSize: mostWaiting, recordDroppedEvent: () => {} }, async ({ body }) => {
    const response = await fetch(url, {
      method: 'POST',
      body: typeof body === 'string' ? body : new Uint8Array(body),
      headers: { 'content-type': 'application/x-sentry-envelope' },
      signal: AbortSignal.timeout(limitMs),
      redirect: 'error',
    });
    await response.body?.cancel();
    observe(source, response.ok ? 'sent' : 'refused');
    return {
      statusCode: response.status,
      headers: {
        'x-sentry-rate-limits': response.headers.get('x-sentry-rate-limits'),
        'retry-after': response.headers.get('retry-after'),
      },
    };
  });
}

/** The event of an error, with its causes, as the protocol has it. */
function eventOf(error: unknown, root: string): Event {
  const thrown = error instanceof Error ? error : new Error(String(error));
  const event: Event = { exception: { values: [exceptionFromError(parseStack, thrown)] } };
  const hint = { originalException: thrown };
  applyAggregateErrorsToEvent(exceptionFromError, parseStack, 'cause', mostCauses, event, hint);
  for (const { stacktrace } of event.exception?.values ?? [])
    for (const frame of stacktrace?.frames ?? [])
      if (frame.filename !== undefined)
        frame.filename = frame.filename.replace(/^file:\/\//, '').replace(root, 'app:///');
  return event;
}

/** Reports errors to a server that speaks Sentry's protocol. */
export type Monitoring = ReturnType<typeof createMonitoring>;

/** @throws Error for an invalid DSN */
export function createMonitoring(options: MonitoringOptions) {
  const { configuration, release, origins, observe } = options;
  const own = makeDsn(options.dsn);
  if (own === undefined) throw new Error('SENTRY_DSN is no DSN');
  const { environment } = configuration;
  const transports = new Map<string, Transport>();
  const requests = new Map<string, MonitoredRequest>();
  const spend = createBudget(mostEventsAMinute, options.now);

  function send(envelope: Envelope, dsn: DsnComponents, source: 'browser' | 'server') {
    const name = `${source} ${dsn.publicKey}/${dsn.projectId}`;
    const transport = transports.get(name) ?? openTransport(dsn, options, source);
    transports.set(name, transport);
    return transport.send(envelope).then(
      // After too many reports, or a refusal of the server, nothing was sent.
      ({ statusCode }) => statusCode === undefined && observe(source, 'dropped'),
      (error: unknown) => observe(source, 'failed', error),
    );
  }

  return {
    /** The requests that are being answered, by their ids: what their visitors sent must not stand in a report. */
    requests,
    /** Reports an error of this server; resolves once it is sent, or is not. @param requestId of the failed request */
    async report(error: unknown, requestId?: string) {
      if (!spend()) return observe('server', 'dropped');
      const request = requestId === undefined ? undefined : requests.get(requestId);
      const secrets = request === undefined ? [] : secretsOf(request);
      const event_id = crypto.randomUUID().replaceAll('-', '');
      const event = {
        ...eventOf(error, options.root),
        event_id,
        timestamp: Date.now() / 1000,
        level: 'error',
        platform: 'node',
        tags: { request_id: requestId },
      };
      const clean = eventSchema(redactionsFor(secrets, origins)).parse(event);
      const header = { event_id, sent_at: new Date().toISOString() };
      const whole = { ...clean, release, environment } as Event;
      return send([header, [[{ type: 'event' }, whole]]], own, 'server');
    },
    /**
     * Passes on a browser's report without the visitor's own values. Does not wait for the server.
     * @throws Failure `request_invalid` when it is no report
     */
    forward(body: Uint8Array, { host, userAgent, secrets }: Reporter) {
      if (isOversized(body)) return observe('browser', 'oversized');
      const device = deviceOf(userAgent);
      const tags = { device, os: systemOf(userAgent), browser: browserOf(userAgent) };
      const facts = { release, environment, tags };
      const envelope = cleanEnvelope(
        body,
        redactionsFor(secrets, [...origins, `https://${host}`, `http://${host}`]),
        facts,
      );
      if (envelope !== null)
        void send(envelope, { ...own, ...keyFor(configuration, host, device) }, 'browser');
    },
    /** Waits for reports in transit, up to a time limit. */
    async flush(limitMs: number) {
      await Promise.all([...transports.values()].map((transport) => transport.flush(limitMs)));
    },
  };
}
