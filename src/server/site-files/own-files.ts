import type { FastifyInstance } from 'fastify';
import type { ServerDependencies } from '../instance/parts.ts';

/** Serves the icons and the logo of the site's own folder. */
export function ownFiles(app: FastifyInstance, { own: { files } }: Pick<ServerDependencies, 'own'>): void {
  for (const [path, { type, bytes }] of files)
    app.get(path, async (_request, reply) =>
      reply
        .type(type)
        .header('cache-control', 'public, max-age=3600')
        .send(await bytes()),
    );
}
