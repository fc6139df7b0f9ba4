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

/** A report's origin, the same for the whole installation. */
interface ReportFacts {
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
 * @param body not oversized
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

/** Attributes that say how a page looks; rrweb's own begin with `rr_`. */
const looks =
  /^(?:_cssText|class|id|style|rel|type|role|dir|lang|width|height|viewBox|d|fill|stroke|stroke-\w+|x|y|cx|cy|r|rx|ry|points|open|hidden|disabled|checked|media|href|src|xlink:href|rr_\w+)$/;

/** Attributes that are addresses. */
const addresses = /^(?:href|src|xlink:href)$/;

/** Fields that contain text of the page or typed text. */
const shownText: ReadonlySet<string> = new Set(['textContent', 'text', 'value']);

/** rrweb's events of a tool's own, with what it saw of requests and of the console. */
const customEvent = 5;

/** Deeper nodes are dropped. The site's pages have 28 levels. */
const maxDepth = 400;

/** rrweb's own names, which stay also where a visitor's word is the same. */
const plainName = /^[A-Za-z_]{1,24}$/;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Makes what cleans the events of a recording. */
function createCleaner({ address, links, known }: Redactions) {
  const cleanText = (text: string) => known(links(text));

  function cleanAttribute(name: string, value: unknown): unknown {
    if (typeof value !== 'string') return clean(value, 0);
    return addresses.test(name) ? address(value) : cleanText(value);
  }

  function cleanField(name: string, value: unknown, isStyle: boolean, depth: number): unknown {
    if (name === 'attributes' && isObject(value)) return cleanObject(value, cleanAttribute, looks);
    if (typeof value !== 'string') return clean(value, depth);
    if (name === 'href') return address(value);
    return shownText.has(name) && !isStyle ? value.replace(/\S/g, '*') : cleanText(value);
  }

  function cleanObject(
    object: Record<string, unknown>,
    cleanOne: (name: string, value: unknown) => unknown,
    names?: RegExp,
  ): Record<string, unknown> {
    const cleaned: Record<string, unknown> = Object.create(null);
    for (const name in object) {
      if (names !== undefined && !names.test(name)) continue;
      cleaned[plainName.test(name) ? name : cleanText(name)] = cleanOne(name, object[name]);
    }
    return cleaned;
  }

  function clean(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return cleanText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > maxDepth) return null;
    if (Array.isArray(value)) return value.map((one) => clean(one, depth + 1));
    const isStyle = 'isStyle' in value && value.isStyle === true;
    return cleanObject(value as Record<string, unknown>, (name, inner) =>
      cleanField(name, inner, isStyle, depth + 1),
    );
  }
  return (events: readonly unknown[]) => clean(events, 0);
}

/**
 * Cleans a recording (a list of rrweb's events, after a line that numbers it) of text that was read or typed: it shows
 * how a page looked and what was done on it. The browser's own masking keeps addresses, which may contain links and
 * tickets, and anybody may send an unmasked recording.
 * @returns null when it is no such recording
 */
function cleanRecording(payload: Uint8Array, redactions: Redactions): string | null {
  const text = new TextDecoder().decode(payload);
  const end = text.indexOf('\n');
  const [, segment] = /^\{"segment_id":(\d{1,6})\}$/.exec(text.slice(0, end)) ?? [];
  if (segment === undefined) return null;
  const events: unknown = JSON.parse(text.slice(end + 1));
  if (!Array.isArray(events)) return null;
  const kept = events.filter((event) => isObject(event) && event.type !== customEvent);
  return `{"segment_id":${segment}}\n${JSON.stringify(createCleaner(redactions)(kept))}`;
}
