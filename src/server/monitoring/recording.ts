import type { Redactions } from './event-schema.ts';

/** Attributes that say how a page looks; rrweb's own begin with `rr_`. */
const looks =
  /^(?:_cssText|class|id|style|rel|type|role|dir|lang|width|height|viewBox|d|fill|stroke|stroke-\w+|x|y|cx|cy|r|rx|ry|points|open|hidden|disabled|checked|media|href|src|xlink:href|rr_\w+)$/;

/** Fields that hold what stands on the page, or what was typed. */
const shownText: ReadonlySet<string> = new Set(['textContent', 'text', 'value']);

/** rrweb's events of a tool's own, with what it saw of requests and of the console. */
const customEvent = 5;

const maxDepth = 400;

type Cleaning = Pick<Redactions, 'address' | 'links' | 'known'>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function cleanAttributes(attributes: Record<string, unknown>, cleaning: Cleaning): Record<string, unknown> {
  const kept = Object.entries(attributes).filter(([name]) => looks.test(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      typeof value !== 'string'
        ? clean(value, cleaning, 0)
        : /^(?:href|src|xlink:href)$/.test(name)
          ? cleaning.address(value)
          : cleaning.links(value),
    ]),
  );
}

function clean(value: unknown, cleaning: Cleaning, depth: number): unknown {
  if (depth > maxDepth) return null;
  if (typeof value === 'string') return cleaning.links(value);
  if (Array.isArray(value)) return value.map((one) => clean(one, cleaning, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name === 'attributes' && isObject(inner)) return [name, cleanAttributes(inner, cleaning)];
      if (name === 'href' && typeof inner === 'string') return [name, cleaning.address(inner)];
      const isMasked = typeof inner === 'string' && shownText.has(name) && value.isStyle !== true;
      return [name, isMasked ? inner.replace(/\S/g, '*') : clean(inner, cleaning, depth + 1)];
    }),
  );
}

/** Writes events without what is known of the visitor: in texts alone, a number or a name may hold the same signs. */
function withoutKnown(events: unknown, { known }: Cleaning): string {
  const whole = JSON.stringify(events);
  // Mostly nothing is found: to look once for each thing that is known costs less than to look in each text.
  if (known(whole) === whole) return whole;
  return JSON.stringify(events, (_, value) => (typeof value === 'string' ? known(value) : value));
}

/**
 * A recording (a list of rrweb's events, behind a line that numbers it) without what was read or typed on the page:
 * it shows how a page looked and what was done on it. What the browser's own masking let through goes here.
 * @returns null for what is no such recording
 */
export function cleanRecording(payload: Uint8Array, cleaning: Cleaning): string | null {
  const text = new TextDecoder().decode(payload);
  const end = text.indexOf('\n');
  const [, segment] = /^\{"segment_id":(\d{1,6})\}$/.exec(text.slice(0, end)) ?? [];
  if (segment === undefined) return null;
  const events: unknown = JSON.parse(text.slice(end + 1));
  if (!Array.isArray(events)) return null;
  const kept = events.filter((event) => isObject(event) && event.type !== customEvent);
  return `{"segment_id":${segment}}\n${withoutKnown(clean(kept, cleaning, 0), cleaning)}`;
}
