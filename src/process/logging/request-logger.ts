import type { FastifyBaseLogger, FastifyServerOptions } from 'fastify';

const nothing = () => undefined;

/** Fields of log lines that name a post. */
const serializers = { post: nothing, work: nothing, link: nothing, otherLink: nothing, url: nothing };

/**
 * Creates the loggers of requests, whose lines share the request's id and thereby its visitor. They omit the fields
 * that reveal the requested post: facts about posts are logged by the server's own logger (`ServerDependencies.logger`), which
 * knows no request.
 */
export function requestLoggers(
  logger: FastifyBaseLogger,
): NonNullable<FastifyServerOptions['childLoggerFactory']> {
  // Created once: Pino copies all serializers for a child with its own.
  const withoutPosts = logger.child({}, { serializers });
  return (_, bindings) => withoutPosts.child(bindings);
}
