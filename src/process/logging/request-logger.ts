import type { FastifyBaseLogger, FastifyServerOptions } from 'fastify';

const nothing = () => undefined;

/** Under these names lines say which post they are about. */
const serializers = { post: nothing, work: nothing, link: nothing, otherLink: nothing, url: nothing };

/**
 * Makes the loggers of requests, whose lines share the request's id, and with that its visitor. They leave out the
 * fields that would say which post was asked for: what an operator must know of a post is written by the logger that
 * the server is given (`ServerParts.logger`), which knows of no request.
 */
export function requestLoggers(
  logger: FastifyBaseLogger,
): NonNullable<FastifyServerOptions['childLoggerFactory']> {
  // Made once: Pino copies all serializers for a child that brings some of its own.
  const withoutPosts = logger.child({}, { serializers });
  return (_, bindings) => withoutPosts.child(bindings);
}
