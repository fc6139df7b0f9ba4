import { Counter } from 'prom-client';
import type { Content } from '../../content/content.ts';
import { createRemoteLists } from '../../content/remote/remote-lists.ts';
import { createBackendClient } from '../../http-client/client.ts';
import type { Core } from '../../server/feature.ts';

/** A page waits for this. */
const limitMs = 5000;

/** A list of a hundred articles takes some 60 kB. */
const maxResponseBytes = 2 * 2 ** 20;

/**
 * Takes the lists of articles and categories from another server. Visitors do not notice its failures; the log and the
 * metrics show them.
 */
export function withRemoteLists(
  content: Content,
  base: string,
  { origin, metrics, logger }: Pick<Core, 'origin' | 'metrics' | 'logger'>,
): Content {
  const calls = new Counter({
    name: 'clipferry_backend_calls_total',
    help: 'Calls of the content backend, after their retries.',
    labelNames: ['call', 'result'],
    registers: [metrics],
  });
  const client = createBackendClient({
    base: base.replace(/\/$/, ''),
    limitMs,
    maxResponseBytes,
  });
  const lists = createRemoteLists(client, origin, (call, error) => {
    calls.inc({ call, result: error === null ? 'ok' : 'failed' });
    if (error !== null) logger.warn({ err: error, call }, 'the content backend failed');
  });
  return { ...content, ...lists };
}
