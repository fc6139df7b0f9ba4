import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linkTables as links } from '../../downloader/links/tables.ts';
import type { PostResolver, ResolveEvent } from '../../downloader/posts/resolver.ts';
import { Failure } from '../../failures/failures.ts';
import type { WhoCounts } from '../http/limits/who-counts.ts';
import { decorateRequests } from '../http/requests.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { resolveEndpoint } from './resolve.ts';

const link = 'https://www.tiktok.com/@a/video/7000000000000000001';
let app: ReturnType<typeof Fastify>;
let event: Pick<ResolveEvent, 'source' | 'outcome'>;
let counted: unknown[][];

beforeEach(() => {
  app = Fastify();
  counted = [];
  decorateRequests(app, {
    origin: 'http://site.example',
    hashVisitor: () => ({ key: 'visitor', block: 'block' }),
  });
  const counts: WhoCounts = async (kind, { askedPost }, outcome) => {
    counted.push([kind, askedPost?.id, outcome]);
    return true;
  };
  const resolveText: PostResolver['resolveText'] = async (_text, _signal, { resolved } = {}) => {
    resolved?.({ ...event, durationMs: 1, readBy: null });
    throw new Failure('post_gone');
  };
  const parts = {
    ...{ counts, resolver: { links, resolveText }, readingLimit: { isFull: false } },
    limits: { resolve: async () => {}, turns: () => async () => {} },
  };
  resolveEndpoint(app, parts as unknown as ServerDependencies);
});
afterEach(() => app.close());

test.each([
  ['read', 'thin', [['posts', '7000000000000000001', 'failed']]],
  ['read', 'ok', [['posts', '7000000000000000001', 'succeeded']]],
  ['read', 'post_gone', []],
  ['cache', 'thin', []],
  // Whoever asks for HD again and again counts nothing.
  ['again', 'thin', []],
] as const)('of answers, %s and %s count as %j', async (source, outcome, expected) => {
  event = { source, outcome };
  await app.inject({ method: 'POST', url: '/api/resolve', payload: { url: link } });
  expect(counted).toEqual(expected);
});
