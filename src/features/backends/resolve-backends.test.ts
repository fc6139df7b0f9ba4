import { describe, expect, test } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import { type BackendClient, BackendError } from '../../http-client/client.ts';
import type { DownloadOption, ResolveResult } from '../../site/api.ts';
import { createResolveBackends, resolveAt } from './resolve-backends.ts';

const address = 'https://a.example/api/resolve';

const optionOf = (
  id: string,
  format: DownloadOption['format'],
  href = `/api/files/${id}`,
): DownloadOption => ({
  ...{ id, format, label: id, codec: null, width: null, height: null, bytes: null, href },
});
const result: ResolveResult = {
  post: {
    platform: 'tiktok',
    id: '7',
    url: 'https://www.tiktok.com/@a/video/7',
    kind: 'video',
    author: { handle: 'a', name: 'A' },
    title: '',
    duration_s: 1,
    cover_url: '/api/pictures/v1.cover',
    created_at: null,
  },
  options: [optionOf('mp4', 'mp4'), { ...optionOf('mp3', 'mp3'), status_href: '/api/files/mp3/status' }],
};

/** The result of reading a client's response or error. */
async function read(answer: unknown) {
  const client: BackendClient = {
    get: () => Promise.reject(new Error('not asked')),
    post: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
  };
  const seen: (string | null)[] = [];
  const ask = createResolveBackends(
    () => client,
    (_, failure) => seen.push(failure?.key ?? null),
  );
  try {
    return { seen, result: await ask(address, {}, new AbortController().signal) };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { seen, failure: thrown };
  }
}

describe('an answer', () => {
  test('has its files at the backend, its pictures here, and nothing that a page would have to request there', async () => {
    const { seen, result: found } = await read({ ...result, later: 'field' });
    expect(seen).toEqual([null]);
    expect(found?.post.cover_url).toBe('/api/pictures/v1.cover/backend?at=https%3A%2F%2Fa.example');
    expect(found?.options.map(({ href }) => href)).toEqual([
      'https://a.example/api/files/mp4',
      'https://a.example/api/files/mp3',
    ]);
    expect(found?.options.some((option) => 'status_href' in option)).toBe(false);
    expect(found).not.toHaveProperty('later');
  });

  test.each([
    'https://b.example/x',
    '//b.example/x',
    'http://a.example/x',
    'javascript:alert(1)',
    'https://a.example.evil/x',
    'https://a.example:444/x',
  ])('is invalid with a file at %s', async (href) => {
    const { seen, failure } = await read({ ...result, options: [optionOf('mp4', 'mp4', href)] });
    expect(failure?.key).toBe('unavailable');
    expect(seen).toEqual(['unavailable']);
  });

  test.each(['https://b.example/api/pictures/x', '/metrics', '/api/pictures/../x', '/api/pictures/a%2fb'])(
    'shows no picture of %s',
    async (cover_url) => {
      const { result: found } = await read({ ...result, post: { ...result.post, cover_url } });
      expect(found?.post.cover_url).toBeNull();
    },
  );

  test.each([
    null,
    [],
    {},
    { ...result, options: null },
    { ...result, post: { ...result.post, url: 'javascript:alert(1)' } },
    { ...result, post: { ...result.post, id: '../x' } },
    { ...result, options: Array.from({ length: 301 }, (_, at) => optionOf(`jpg-${at}`, 'jpg')) },
  ])('is invalid in another shape: %#', async (answer) => {
    expect((await read(answer)).failure?.key).toBe('unavailable');
  });
});

describe('a refusal', () => {
  const refused = (status: number, answer: unknown) => new BackendError('refused', status, { answer });

  test.each([
    ['post_private', 'post_private', undefined],
    ['platform_timeout', 'platform_timeout', undefined],
    ['overloaded', 'overloaded', 5],
    ['rate_limited', 'overloaded', 5],
  ])('with %s becomes %s', async (key, ours, seconds) => {
    const answer = { code: 1, error: { key, message: 'x', retry_after_s: seconds } };
    const { failure } = await read(refused(400, answer));
    expect([failure?.key, failure?.retryAfterS]).toEqual([ours, seconds]);
  });

  test.each([
    refused(500, { code: 500, error: { key: 'internal', message: 'x' } }),
    refused(400, { code: 400, error: { key: 'request_invalid', message: 'x' } }),
    refused(400, { error: { key: '__proto__', message: 'x' } }),
    refused(502, undefined),
    new BackendError('no answer', null),
    new DOMException('too long', 'TimeoutError'),
  ])('that says nothing about the post counts as an unavailable backend: %s', async (error) => {
    const { failure } = await read(error);
    expect([failure?.key, failure?.retryAfterS]).toEqual(['unavailable', 30]);
  });

  test('after the visitor left is nobody’s failure', async () => {
    const gone = new Error('gone');
    const client = { get: () => Promise.reject(gone), post: () => Promise.reject(gone) };
    const seen: unknown[] = [];
    const ask = createResolveBackends(
      () => client,
      (...reported) => seen.push(reported),
    );
    await expect(ask(address, {}, AbortSignal.abort(gone))).rejects.toBe(gone);
    expect(seen).toEqual([]);
  });
});

describe('a page', () => {
  const away = new Failure('unavailable');
  const gone = new Failure('post_gone');
  const withSound = { ...result, options: [optionOf('mp4', 'mp4', '/s'), optionOf('mp3', 'mp3', '/s')] };

  /** The called backends, and the result. */
  async function ask(
    backends: Parameters<typeof resolveAt>[0],
    answers: Readonly<Record<string, ResolveResult | Failure>>,
  ) {
    const requested: unknown[] = [];
    const outcome = await resolveAt(backends, async (place) => {
      requested.push(place);
      const answer = answers[place ?? 'here'];
      if (answer === undefined || answer instanceof Failure) throw answer ?? new Error('not expected');
      return answer;
    }).catch((thrown: unknown) => thrown);
    return { requested, outcome };
  }

  test('asks the next place when one is unavailable, but not when the post is gone', async () => {
    expect(await ask({ places: ['a', null], sound: null }, { a: away, here: result })).toEqual({
      requested: ['a', null],
      outcome: result,
    });
    expect(await ask({ places: ['a', null], sound: null }, { a: gone })).toEqual({
      requested: ['a'],
      outcome: gone,
    });
    expect(await ask({ places: ['a'], sound: null }, { a: away })).toEqual({
      requested: ['a'],
      outcome: away,
    });
  });

  test('takes the sound, and nothing else, from the place of its sounds', async () => {
    const { outcome } = await ask({ places: [null], sound: 's' }, { here: result, s: withSound });
    expect((outcome as ResolveResult).options.map(({ id, href }) => [id, href])).toEqual([
      ['mp4', '/api/files/mp4'],
      ['mp3', '/s'],
    ]);
    const missing = { ...withSound, options: [], no_sound: 'missing' as const };
    const silent = await ask({ places: [null], sound: 's' }, { here: result, s: missing });
    expect(silent.outcome).toMatchObject({ no_sound: 'missing', options: [{ id: 'mp4' }] });
  });

  test.each([
    ['is away', away],
    ['knows no such post', gone],
    ['has another post', { ...withSound, post: { ...withSound.post, id: '8' } }],
  ])('offers its own sound when the other %s', async (_, sound) => {
    const { outcome } = await ask({ places: [null], sound: 's' }, { here: result, s: sound });
    expect(outcome).toEqual(result);
  });
});
