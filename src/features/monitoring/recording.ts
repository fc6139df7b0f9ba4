import type { Redactions } from './event-schema.ts';

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

type Cleaning = Pick<Redactions, 'address' | 'links' | 'known'>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Makes what cleans the events of a recording. */
function createCleaner({ address, links, known }: Cleaning) {
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
export function cleanRecording(payload: Uint8Array, cleaning: Cleaning): string | null {
  const text = new TextDecoder().decode(payload);
  const end = text.indexOf('\n');
  const [, segment] = /^\{"segment_id":(\d{1,6})\}$/.exec(text.slice(0, end)) ?? [];
  if (segment === undefined) return null;
  const events: unknown = JSON.parse(text.slice(end + 1));
  if (!Array.isArray(events)) return null;
  const kept = events.filter((event) => isObject(event) && event.type !== customEvent);
  return `{"segment_id":${segment}}\n${JSON.stringify(createCleaner(cleaning)(kept))}`;
}
