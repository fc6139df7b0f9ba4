import { cleanEnvelope, redactionsFor } from '../clean-envelope.ts';
import { isOversized } from '../monitoring.ts';

const id = '0'.repeat(32);
export const maxBytes = 512 * 1024;
const facts = { release: '1', environment: 'test', tags: {} };

const item = (type: string, payload: string) =>
  `${JSON.stringify({ type, length: Buffer.byteLength(payload) })}\n${payload}\n`;
export const envelope = (...items: readonly string[]) =>
  Buffer.from(`{"event_id":"${id}"}\n${items.join('')}`);
export const recording = (data: string) =>
  item('replay_recording', `{"segment_id":0}\n[{"type":3,"data":${data}}]`);
const event = (fields: object) =>
  item('event', JSON.stringify({ event_id: id, platform: 'javascript', ...fields }));

/** As many as there is room for. */
export function fill(piece: (n: number) => string, most = Number.POSITIVE_INFINITY): string {
  const pieces: string[] = [];
  for (let [n, left] = [0, maxBytes - 300]; n < most; n += 1) {
    const next = piece(n);
    left -= Buffer.byteLength(next) + 1;
    if (left < 0) break;
    pieces.push(next);
  }
  return pieces.join();
}

/** Below the limit of rejection without reading, so that all of it is cleaned. */
const most = 7900;

export const cookies = Array.from({ length: 55 }, (_, n) => `value of cookie ${n}`);
const words = Array.from({ length: 60 }, (_, n) => `t&ä"${n}xxxxxxxx`);
export const steps = Array.from({ length: 60 }, (_, n) => `${'a'.repeat(4 + n * 4)}b`);

/** Recordings of the largest size that are the most work, by what they are full of, with what must not be in them. */
export const largestRecordings: readonly (readonly [string, string, readonly string[]])[] = [
  ['one-letter strings, one cookie among them', `["${cookies[3]}",${fill(() => '"a"', 110_000)}]`, cookies],
  ['a cookie in every string', `[${fill(() => `"${cookies[3]}"`, most)}]`, cookies],
  ['35,000 names', `{${fill((n) => `"k${n}":"a"`, 35_000)}}`, cookies],
  ['names of its own in each object', `[${fill((n) => `{"${n} x/?a=b":1}`, most)}]`, words],
  ['long names', `{${fill((n) => `"${n} x/?a=b":"a"`, most)}}`, words],
  ['addresses', `[${fill(() => '{"href":"https://site.example/a?bcdefghijklmn"}', most)}]`, words],
  ['attributes', `[${fill(() => '{"attributes":{"src":"//a.example/b"}}', most / 2)}]`, words],
  ['nested lists', `${'['.repeat(most)}${']'.repeat(most)}`, words],
  ['nested objects', `${'{"a":'.repeat(most)}1${'}'.repeat(most)}`, words],
  ['a text that nearly is a secret everywhere', `["${'a'.repeat(maxBytes - 300)}"]`, steps],
  ['a text that is schemes', `["${'a.'.repeat(maxBytes / 2 - 200)}"]`, words],
];

/** A recording that breaks off after 400,000 brackets. */
export const brokenRecording = envelope(item('replay_recording', `{"segment_id":0}\n${'['.repeat(400_000)}`));

/** Events with nearly a secret in all their places, and many small items. */
export const busyEvents: readonly Buffer[] = [
  ...['a.', 'a@', "'a", '1.', 'a-', '0:', 'a1', '“', 'a://'].map((text) => {
    const long = text.repeat(3990 / text.length);
    const place = text.repeat(490 / text.length);
    const frames = Array.from({ length: 16 }, () => ({ filename: place, function: place }));
    const values = Array.from({ length: 5 }, () => ({ type: long, value: long, stacktrace: { frames } }));
    return envelope(event({ message: long, exception: { values } }));
  }),
  Buffer.concat([envelope(), Buffer.from('{"type":"x"}\n{}\n'.repeat(30_000))]),
];

/** Cleans a report like the endpoint: null for one that is refused unread. */
export function clean(body: Buffer, secrets: readonly string[]): string | null {
  if (isOversized(body)) return null;
  return JSON.stringify(cleanEnvelope(body, redactionsFor(secrets, ['https://site.example']), facts));
}

/** Bodies of requests with much to search for, by their kind. */
export const largestBodies: readonly (readonly [string, unknown])[] = [
  ['many texts', Array(300_000).fill('a')],
  ['many words', Array.from({ length: 80_000 }, (_, n) => `word ${n}`)],
  ['nested texts', { a: { b: Array(200_000).fill('xy') } }],
  ['a form', Buffer.from(Array.from({ length: 60_000 }, (_, n) => `k${n}=word${n}`).join('&'))],
];

/** What a visitor has sent, as far as it can be known. */
export const requestWith = (body: unknown) => {
  const many = 'q=word&'.repeat(2000);
  return {
    headers: { cookie: 'a=b; '.repeat(3000), referer: `/?${many}` },
    ip: '192.0.2.1',
    url: `/?${many}`,
    body,
  };
};
