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
import { browserOf, deviceOf, systemOf } from '../../web/http/visitor/user-agent.ts';
import { cleanEnvelope, redactionsFor } from './clean-envelope.ts';
import type { MonitoringConfiguration } from './configuration.ts';
import { eventSchema } from './event-schema.ts';
import { keyFor } from './keys.ts';
import { isOversized } from './report-size.ts';
import { type Asked, secretsOf } from './secrets.ts';

/** Who sent a report, as far as it decides where it goes and what must not be in it. */
interface Reporter {
  /** The host that was asked. */
  readonly host: string;
  readonly userAgent: string;
  /** What is the visitor's own: cookies, the address, what was typed. */
  readonly secrets: Iterable<string>;
}

/** Reports errors to a server that speaks Sentry's protocol. */
export interface Monitoring {
  /** The requests that are being answered, by their ids: what their visitors sent must not stand in a report. */
  readonly requests: Map<string, Asked>;
  /**
   * Reports an error of this server. Waits for nothing and never fails.
   * @param requestId of the request that failed
   */
  report(error: unknown, requestId?: string): void;
  /**
   * Passes on what a browser reported, without what is the visitor's own. Does not wait for the server.
   * @throws Failure `request_invalid` for what is no report
   */
  forward(body: Uint8Array, reporter: Reporter): void;
  /** Waits for what is on its way, but not for longer than a time. */
  flush(limitMs: number): Promise<void>;
}

/** What became of a report; `oversized`: it would take too long to clean. */
type ReportResult = 'sent' | 'refused' | 'failed' | 'dropped' | 'oversized';

export interface MonitoringOptions {
  readonly dsn: string;
  readonly configuration: MonitoringConfiguration;
  /** Of the build. */
  readonly release: string;
  /** This site's, whose paths may stand in a report. */
  readonly origins: readonly string[];
  /** The folder of the program, which the frames of stacks are named from. */
  readonly root: string;
  readonly fetch: typeof globalThis.fetch;
  /** Monotonic clock in ms. */
  readonly now: () => number;
  /** Told of every report. */
  readonly observe: (source: 'browser' | 'server', result: ReportResult, error?: unknown) => void;
}

/** The errors behind an error that are reported with it. */
const mostCauses = 5;
const limitMs = 10_000;
/** On their way at once, to each key; more are dropped. */
const mostWaiting = 30;

/** Of this server's own errors: when its database is away, every request fails. */
const mostEventsAMinute = 60;

/** So many in a minute, and no more. */
function createBudget(most: number, now: () => number) {
  let since = now();
  let spent = 0;
  return {
    spend(): boolean {
      if (now() - since >= 60_000) [since, spent] = [now(), 0];
      spent += 1;
      return spent <= most;
    },
  };
}

const parseStack = createStackParser(nodeStackLineParser());

/** Sends envelopes to one key, and keeps to what the server says of its limits. */
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

/** @throws Error for a DSN that is none */
export function createMonitoring(options: MonitoringOptions): Monitoring {
  const { configuration, release, origins, observe } = options;
  const own = makeDsn(options.dsn);
  if (own === undefined) throw new Error('SENTRY_DSN is no DSN');
  const { environment } = configuration;
  const transports = new Map<string, Transport>();
  const requests = new Map<string, Asked>();
  const budget = createBudget(mostEventsAMinute, options.now);

  function send(envelope: Envelope, dsn: DsnComponents, source: 'browser' | 'server'): void {
    const name = `${source} ${dsn.publicKey}/${dsn.projectId}`;
    const transport = transports.get(name) ?? openTransport(dsn, options, source);
    transports.set(name, transport);
    transport.send(envelope).then(
      // Where there were too many, or the server wants none, nobody was asked.
      ({ statusCode }) => statusCode === undefined && observe(source, 'dropped'),
      (error: unknown) => observe(source, 'failed', error),
    );
  }

  return {
    requests,
    report(error, requestId) {
      if (!budget.spend()) return observe('server', 'dropped');
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
      send([header, [[{ type: 'event' }, whole]]], own, 'server');
    },
    forward(body, { host, userAgent, secrets }) {
      if (isOversized(body)) return observe('browser', 'oversized');
      const device = deviceOf(userAgent);
      const tags = { device, os: systemOf(userAgent), browser: browserOf(userAgent) };
      const facts = { release, environment, tags };
      const envelope = cleanEnvelope(
        body,
        redactionsFor(secrets, [...origins, `https://${host}`, `http://${host}`]),
        facts,
      );
      if (envelope !== null) send(envelope, { ...own, ...keyFor(configuration, host, device) }, 'browser');
    },
    async flush(limitMs) {
      await Promise.all([...transports.values()].map((transport) => transport.flush(limitMs)));
    },
  };
}

declare module '../../web/server/parts.ts' {
  interface FeatureParts {
    /** Reports errors; null where nobody wants them. */
    readonly monitoring: Monitoring | null;
  }
}
