import type { FastifyInstance } from 'fastify';
import { Failure } from '../../failures/failures.ts';
import type { RateLimit } from '../../server/http/limits/rate-limits.ts';
import { refuseOtherSites } from '../../server/http/visitor/same-site.ts';
import type { Monitoring } from './monitoring.ts';
import { noteRequests, secretsOf } from './secrets.ts';

/** A recording begins with the whole page. */
const maxBodyBytes = 512 * 1024;

/**
 * `POST /api/monitoring`: passes browsers' error reports on to the operator's server, and to no other. Responds before
 * that server has.
 */
export function monitoringEndpoint(app: FastifyInstance, monitoring: Monitoring, limit: RateLimit): void {
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
