import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { Content } from '../../content/content.ts';
import { createRemoteLists } from '../../content/remote/remote-lists.ts';
import { createBackendClient } from '../../http-client/client.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { statuses } from '../../server/http/responses/statuses.ts';
import { backendOrigins, backendPictures } from './backend-pictures.ts';
import { backendsFields, contentVariables, pageBackends, tierFor, tierOf } from './configuration.ts';
import { createResolveBackends, resolveAt } from './resolve-backends.ts';

/** A page waits for this. */
const listLimitMs = 5000;

/** A list of a hundred articles takes some 60 kB. */
const maxListBytes = 2 * 2 ** 20;

/**
 * Takes the lists of articles and categories from another server. Visitors do not notice its failures; the log and the
 * metrics show them.
 */
function withRemoteLists(
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
    limitMs: listLimitMs,
    maxResponseBytes: maxListBytes,
  });
  const lists = createRemoteLists(client, origin, (call, error) => {
    calls.inc({ call, result: error === null ? 'ok' : 'failed' });
    if (error !== null) logger.warn({ err: error, call }, 'the content backend failed');
  });
  return { ...content, ...lists };
}

/** A backend may read its platform for ten seconds. */
const limitMs = 12_000;

/** The answer for a slideshow with all its pictures takes some 60 kB. */
const maxResponseBytes = 2 ** 20;

/** Resolves links on the backends that the site configuration names; metrics and the log show their state. */
function openResolveBackends(metrics: Registry, logger: Logger) {
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
        maxResponseBytes,
      }),
    (address, failure) => {
      const backend = new URL(address).host;
      calls.inc({ backend, result: failure?.key ?? 'ok' });
      if (failure !== null && statuses[failure.key] >= 500)
        logger.warn({ err: failure, backend }, 'a backend did not resolve a link');
    },
  );
}

/** Resolves links on other servers, relays their pictures, and shows their articles. */
export default function openBackends(core: Core): FeatureServer {
  const { environment, configuration, origin, metrics, logger } = core;
  const resolveOn = openResolveBackends(metrics, logger);
  const { main } = backendsFields.of(configuration).backends;
  // The variable is this machine's, the configuration the site's.
  const listsFrom = contentVariables.read(environment).CONTENT_URL ?? main[tierOf(new URL(origin).hostname)];
  return {
    // Browsers get files from them.
    ...(backendOrigins(configuration).size > 0 && { legal: { stays: '', stays_unless_agreed: '' } }),
    resolvePage({ module, host, url, again, signal }, here) {
      const body = { ...module.download_info.extraParams, url, ...(again && { again }) };
      const tier = tierFor(host, { origin, configuration });
      return resolveAt(pageBackends(module, configuration, tier), (place) =>
        place === null ? here() : resolveOn(place, body, signal),
      );
    },
    content: (own) => (listsFrom === undefined ? own : withRemoteLists(own, listsFrom, core)),
    routes: backendPictures,
  };
}
