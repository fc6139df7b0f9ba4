import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { Counter } from 'prom-client';
import { Failure } from '../../failures/failures.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import type { RateLimit } from '../../server/http/limits/visitor-limits.ts';
import { refuseOtherSites } from '../../server/http/visitor/fetch-metadata.ts';
import { monitoringFields, monitoringVariables } from './configuration.ts';
import type { Monitoring } from './monitoring.ts';
import { noteRequests, secretsOf } from './secrets.ts';

/** A recording begins with the whole page. */
const maxBodyBytes = 512 * 1024;

/**
 * `POST /api/monitoring`: passes browsers' error reports on to the operator's server, and to no other. Responds before
 * that server has.
 */
function monitoringEndpoint(app: FastifyInstance, monitoring: Monitoring, limit: RateLimit): void {
  noteRequests(app, monitoring.requests);
  app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    // Browsers send no content type, or plain text, for requests without a preflight.
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: maxBodyBytes },
      (_request, body, parsed) => parsed(null, body),
    );
    scope.post('/api/monitoring', { onRequest: refuseOtherSites }, async (request, reply) => {
      await limit(request.visitor);
      const { body, headers, host } = request;
      if (!(body instanceof Buffer)) throw new Failure('request_invalid', { note: 'body is no envelope' });
      const secrets = secretsOf({ headers, ip: request.ip, url: request.url, body: null });
      monitoring.forward(body, { host, userAgent: headers['user-agent'] ?? '', secrets });
      return reply.header('cache-control', 'no-store').send({});
    });
    done();
  });
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Reports errors, timings and recordings if the environment asks for it; otherwise no code is loaded. */
export default async function openReporting(core: Core): Promise<FeatureServer> {
  const { environment, site, origin, metrics, logger, rateLimits } = core;
  const { SENTRY_DSN: dsn } = monitoringVariables.read(environment);
  if (dsn === undefined) {
    logger.info('SENTRY_DSN is not set: errors are only logged');
    return {};
  }
  const { createMonitoring } = await import('./monitoring.ts');
  const { monitoring: configuration } = monitoringFields.of(core.configuration);
  const reports = new Counter({
    name: 'clipferry_monitoring_reports_total',
    help: 'Reports of errors, timings and recordings, by who made them and what became of them.',
    labelNames: ['source', 'result'],
    registers: [metrics],
  });
  const monitoring = createMonitoring({
    ...{ dsn, configuration, root, fetch },
    release: site.version,
    origins: [origin],
    now: () => performance.now(),
    observe(source, result, error) {
      reports.inc({ source, result });
      // Logged as a warning: a failed report must not cause another report.
      if (result === 'failed') logger.warn({ err: error }, 'the monitoring server does not answer');
    },
  });
  const { session_sample_rate, error_session_sample_rate, trace_sample_rate } = configuration;
  const rates = { session_sample_rate, error_session_sample_rate, trace_sample_rate };
  // A page sends a recording every five seconds, and some reports together. Cleaning takes up to 50 ms each.
  const limit = rateLimits.create('monitoring', 10, 10);
  return {
    routes: (app) => monitoringEndpoint(app, monitoring, limit),
    settings: () => ({ monitoring: rates, learnsUnasked: true }),
    // Pages are timed and visits recorded for it.
    asksFor: ['statistics'],
    legal: { error_reports: 'yes' },
    onError: monitoring.report,
    close: () => monitoring.flush(1000),
  };
}
