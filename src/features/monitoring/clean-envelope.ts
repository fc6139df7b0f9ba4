import { type Envelope, parseEnvelope } from '@sentry/core';
import { z } from 'zod';
import { Failure } from '../../failures/failures.ts';
import {
  type Redact,
  redactAddress,
  redactLinks,
  redactSentences,
  withoutSecrets,
} from './browser/redact.ts';
import { eventSchema, type Redactions, replayEventSchema } from './event-schema.ts';
import { cleanRecording } from './recording.ts';

/** A report's origin, the same for the whole installation. */
export interface ReportFacts {
  readonly release: string;
  readonly environment: string;
  readonly tags: Readonly<Record<string, string>>;
}

const itemHeader = z.object({ type: z.string() });
const headerSchema = z.object({
  event_id: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional()
    .catch(undefined),
});

type Item = readonly [Record<string, unknown>, unknown];

/**
 * Creates the functions that remove a visitor's data from reports.
 * @param secrets of the visitor, as far as they are known
 * @param origins of this site
 */
export function redactionsFor(secrets: Iterable<string>, origins: readonly string[]): Redactions {
  const withoutKnown = withoutSecrets(secrets);
  const sentence = redactSentences(withoutKnown, origins);
  // Text that is no address, such as "<anonymous>" in a stack, is treated as a sentence.
  const address: Redact = (text) =>
    /^(?:\/|https?:)/i.test(text) && !withoutKnown.hasLeftOut
      ? withoutKnown(redactAddress(text, origins))
      : sentence(text);
  const links: Redact = (text) => redactLinks(text, origins);
  return { sentence, address, links, known: withoutKnown };
}

function cleanItem(type: string, payload: unknown, redactions: Redactions, facts: ReportFacts): Item | null {
  switch (type) {
    case 'event':
    case 'transaction': {
      const event = eventSchema(redactions).parse(asJson(payload));
      const { release, environment } = facts;
      return [{ type }, { ...event, release, environment, tags: { ...event.tags, ...facts.tags } }];
    }
    case 'replay_event': {
      const { release, environment, tags } = facts;
      const event = replayEventSchema(redactions).parse(asJson(payload));
      return [{ type: 'replay_event' }, { ...event, release, environment, tags }];
    }
    case 'replay_recording': {
      if (redactions.known.hasLeftOut) return null;
      const recording = payload instanceof Uint8Array ? cleanRecording(payload, redactions) : null;
      const length = recording === null ? 0 : Buffer.byteLength(recording);
      return recording === null ? null : [{ type: 'replay_recording', length }, recording];
    }
    default:
      return null;
  }
}

/** Items of which the browser says how long they are come as bytes. */
const asJson = (payload: unknown): unknown =>
  payload instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(payload)) : payload;

/** The first item of each type: a browser sends no second one. */
function firstOfEach(items: readonly Item[]): Map<string, unknown> {
  const first = new Map<string, unknown>();
  for (const [header, payload] of items) {
    const { data } = itemHeader.safeParse(header);
    if (data !== undefined && !first.has(data.type)) first.set(data.type, payload);
  }
  return first;
}

/**
 * The permitted parts of a browser's envelope: events, timings and recordings, each by a list of fields, without
 * anything that identifies the visitor.
 * @param body not oversized (`report-size.ts`)
 * @returns null when nothing remains
 * @throws Failure `request_invalid` when it is no envelope
 */
export function cleanEnvelope(body: Uint8Array, redactions: Redactions, facts: ReportFacts): Envelope | null {
  try {
    const [header, items] = parseEnvelope(body) as unknown as readonly [unknown, readonly Item[]];
    const { event_id } = headerSchema.parse(header);
    const clean = [...firstOfEach(items)].map(([type, payload]) =>
      cleanItem(type, payload, redactions, facts),
    );
    const passed = clean.filter((item) => item !== null);
    if (passed.length === 0) return null;
    return [
      { ...(event_id !== undefined && { event_id }), sent_at: new Date().toISOString() },
      passed,
    ] as Envelope;
  } catch (cause) {
    throw new Failure('request_invalid', { cause, note: 'body is no envelope' });
  }
}
