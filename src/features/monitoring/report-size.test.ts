import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanEnvelope, redactionsFor } from './clean-envelope.ts';
import { isOversized } from './report-size.ts';
import { secretsOf } from './secrets.ts';

const id = '0'.repeat(32);
const maxBytes = 512 * 1024;
const facts = { release: '1', environment: 'test', tags: {} };
/**
 * What a request may use of the one thread that answers all of them, in units of reading and writing the largest plain
 * report: some 50 ms when that takes 3 or 4. A core that other programs use is slower at both.
 */
const mostTimes = 15;

const item = (type: string, payload: string) =>
  `${JSON.stringify({ type, length: Buffer.byteLength(payload) })}\n${payload}\n`;
const envelope = (...items: readonly string[]) => Buffer.from(`{"event_id":"${id}"}\n${items.join('')}`);
const recording = (data: string) => item('replay_recording', `{"segment_id":0}\n[{"type":3,"data":${data}}]`);
const event = (fields: object) =>
  item('event', JSON.stringify({ event_id: id, platform: 'javascript', ...fields }));

/** As many as there is room for. */
function fill(piece: (n: number) => string, most = Number.POSITIVE_INFINITY): string {
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

/** The CPU time of this thread, in ms, whatever else the machine does meanwhile. */
function workMs(task: () => void): number {
  const { user, system } = process.threadCpuUsage();
  task();
  const { user: laterUser, system: laterSystem } = process.threadCpuUsage();
  return (laterUser - user + laterSystem - system) / 1000;
}

const plain = `[${fill((n) => `{"id":${n},"textContent":"some words of a page","attributes":{"class":"a b"}}`)}]`;
const readPlain = () => void JSON.stringify(JSON.parse(plain));

/** Not worth a comparison on any machine. */
const littleMs = 10;

/** The work of this thread as a multiple of that for a plain report; the best of five if the first took too long. */
function timesOf(task: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && best >= mostTimes; tries += 1) {
    const ms = workMs(task);
    best = ms < littleMs ? 0 : Math.min(best, ms / workMs(readPlain));
  }
  return best;
}

/** Cleans a report like the endpoint. */
function clean(body: Buffer, secrets: readonly string[]): { times: number; cleaned: string | null } {
  expect(body.length).toBeLessThanOrEqual(maxBytes);
  let cleaned: string | null = null;
  const times = timesOf(() => {
    if (isOversized(body)) return;
    cleaned = JSON.stringify(cleanEnvelope(body, redactionsFor(secrets, ['https://site.example']), facts));
  });
  return { times, cleaned };
}

const cookies = Array.from({ length: 55 }, (_, n) => `value of cookie ${n}`);
const words = Array.from({ length: 60 }, (_, n) => `t&ä"${n}xxxxxxxx`);
const steps = Array.from({ length: 60 }, (_, n) => `${'a'.repeat(4 + n * 4)}b`);

test.each([
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
])('cleans a recording of the largest size within its time: %s', (_, data, secrets) => {
  const { times, cleaned } = clean(envelope(recording(data)), secrets);
  expect(times).toBeLessThan(mostTimes);
  for (const secret of secrets) expect(cleaned ?? '').not.toContain(secret);
});

test('refuses a report that breaks off after 400,000 brackets within its time', () => {
  expect(
    clean(envelope(item('replay_recording', `{"segment_id":0}\n${'['.repeat(400_000)}`)), cookies).times,
  ).toBeLessThan(mostTimes);
});

test('cleans an event with nearly anything in all its places, and many small items, within their time', () => {
  for (const text of ['a.', 'a@', "'a", '1.', 'a-', '0:', 'a1', '“', 'a://']) {
    const long = text.repeat(3990 / text.length);
    const place = text.repeat(490 / text.length);
    const frames = Array.from({ length: 16 }, () => ({ filename: place, function: place }));
    const values = Array.from({ length: 5 }, () => ({ type: long, value: long, stacktrace: { frames } }));
    const body = envelope(event({ message: long, exception: { values } }));
    expect(clean(body, steps).times).toBeLessThan(mostTimes);
  }
  const many = Buffer.concat([envelope(), Buffer.from('{"type":"x"}\n{}\n'.repeat(30_000))]);
  expect(clean(many, steps).times).toBeLessThan(mostTimes);
});

test('cleans any report within its time, and leaves no secret in it', () => {
  const secret = fc.string({ minLength: 4, maxLength: 40, unit: fc.constantFrom(...'ab.1@:/ä "') });
  const secrets = fc.array(
    secret.filter((text) => text.trim().length >= 4 && !'[…][link]'.includes(text.trim())),
    { maxLength: 60 },
  );
  const text = fc.string({ maxLength: 30, unit: fc.constantFrom(...'ab.1@:/?= "\\') });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, text, fc.integer(), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(
      fc.constantFrom('href', 'attributes', 'textContent', 'isStyle', 'a b', 'x1'),
      tie('value'),
      { maxKeys: 4 },
    ),
  }));
  fc.assert(
    fc.property(value, secrets, fc.nat(), (piece, own, at) => {
      const planted = own[at % Math.max(1, own.length)] ?? 'none';
      const written = JSON.stringify([
        piece,
        { class: planted, attributes: { class: planted, href: `/${planted}` } },
      ]);
      for (const limit of [
        Number.POSITIVE_INFINITY,
        1 + Math.floor(20_000 / written.split(/[,:[{]/).length),
      ]) {
        const { times, cleaned } = clean(envelope(recording(`[${fill(() => written, limit)}]`)), own);
        expect(times).toBeLessThan(mostTimes);
        if (own.length > 0) expect(cleaned ?? '').not.toContain(planted.trim());
      }
    }),
    { numRuns: 60 },
  );
});

test("a browser's recording of a long page is not too large", () => {
  const node = (n: number) => ({
    type: 2,
    tagName: 'li',
    attributes: { class: 'row' },
    childNodes: [{ type: 3, textContent: 'x', id: n }],
    id: n,
  });
  const page = { node: { type: 0, childNodes: Array.from({ length: 1000 }, (_, n) => node(n)), id: 1 } };
  const { cleaned } = clean(envelope(recording(JSON.stringify(page))), cookies);
  expect(cleaned).toContain('"tagName');
});

test.each([
  ['"', false],
  ['\\"', true],
  [',', false],
])('characters in texts do not count, however a text is written: %s', (signs) => {
  const text = JSON.stringify(signs.repeat(40_000));
  expect(isOversized(Buffer.from(`[${text}]`))).toBe(false);
  expect(isOversized(Buffer.from(`[${text},${'1,'.repeat(30_000)}1]`))).toBe(true);
  // A text that is not one and ends with its line.
  expect(isOversized(Buffer.from(`"\n[${'1,'.repeat(30_000)}1]`))).toBe(true);
});

test.each([
  ['many texts', Array(300_000).fill('a')],
  ['many words', Array.from({ length: 80_000 }, (_, n) => `word ${n}`)],
  ['nested texts', { a: { b: Array(200_000).fill('xy') } }],
  ['a form', Buffer.from(Array.from({ length: 60_000 }, (_, n) => `k${n}=word${n}`).join('&'))],
])('gathers what a visitor has sent within its time: %s', (_, body) => {
  const many = 'q=word&'.repeat(2000);
  const request = {
    headers: { cookie: 'a=b; '.repeat(3000), referer: `/?${many}` },
    ip: '192.0.2.1',
    url: `/?${many}`,
    body,
  };
  const times = timesOf(() => {
    expect(redactionsFor(secretsOf(request), []).sentence('an error')).toBe('[…]');
  });
  expect(times).toBeLessThan(mostTimes);
});

test('passes on no recording when more is known about a visitor than it can search for', () => {
  const many = Array.from({ length: 100 }, (_, n) => `value of cookie ${n}`);
  expect(clean(envelope(recording('["value of cookie 99"]')), many).cleaned).toBe('null');
});
