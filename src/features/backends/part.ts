import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { createBackendClient } from '../../http-client/client.ts';
import { statuses } from '../../web/http/statuses.ts';
import { createResolveBackends, type ResolveBackends } from './resolve-backends.ts';

/** A backend may read its platform for ten seconds. */
const limitMs = 12_000;

/** The answer for a slideshow with all its pictures takes some 60 kB. */
const maxAnswerBytes = 2 ** 20;

/** Has the backends that the site configuration names resolve links; how they do is seen in the metrics and in the log. */
export function assembleResolveBackends(metrics: Registry, logger: Logger): ResolveBackends {
  const calls = new Counter({
    name: 'clipferry_resolve_backend_calls_total',
    help: 'Links that another backend was asked to resolve, after the retries: ok, or why not.',
    labelNames: ['backend', 'result'],
    registers: [metrics],
  });
  return createResolveBackends(
    (base) =>
      createBackendClient({
        base,
        limitMs,
        maxAnswerBytes,
        fetch,
        pause: (delayMs, signal) => pause(delayMs, undefined, { signal }),
        random: Math.random,
      }),
    (address, failure) => {
      const backend = new URL(address).host;
      calls.inc({ backend, result: failure?.key ?? 'ok' });
      if (failure !== null && statuses[failure.key] >= 500)
        logger.warn({ err: failure, backend }, 'a backend did not resolve a link');
    },
  );
}
