import type { FastifyServerOptions } from 'fastify';

const nothing = () => undefined;

/** Under these names lines say which post they are about. */
const serializers = { post: nothing, work: nothing, link: nothing, otherLink: nothing, url: nothing };

/**
 * Makes the logger of a request, whose lines share its id, and with that its visitor. It leaves out the fields that
 * would say which post was asked for: what an operator must know of a post is written by the logger that the server is
 * given (`ServerParts.logger`), which knows of no request.
 */
export const requestLogger: NonNullable<FastifyServerOptions['childLoggerFactory']> = (
  logger,
  bindings,
  options,
) => logger.child(bindings, { ...options, serializers: { ...options.serializers, ...serializers } });
