import type { FastifyInstance } from 'fastify';
import { Failure } from '../../failures/failures.ts';
import { controlCharacterIn } from './plain-text.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** That the address refuses control characters itself, and says where they stand. */
    readonly refusesControlCharacters?: true;
  }
}

const formType = /^\s*(?:(application\/x-www-form-urlencoded)|multipart\/form-data)/i;

/** Whether the body of a request holds U+0000. Bytes are looked at only where they are a form. */
function holdsNull(body: unknown, contentType = ''): boolean {
  if (body instanceof URLSearchParams) return body.toString().includes('%00');
  if (!(body instanceof Uint8Array)) return controlCharacterIn(body, (text) => !text.includes('\0')) !== null;
  const [isForm, isEncoded] = formType.exec(contentType) ?? [];
  if (isForm === undefined) return false;
  // A percent sign that somebody typed is encoded itself.
  return body.includes(0) || (isEncoded !== undefined && Buffer.from(body).includes('%00'));
}

/**
 * Refuses bodies with U+0000, whatever endpoint they are for: nobody types it, and PostgreSQL takes no text with it.
 * `readableUrl` does the same for addresses.
 */
export function refuseNullCharacters(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ body, headers, routeOptions }) => {
    if (routeOptions.config.refusesControlCharacters !== true && holdsNull(body, headers['content-type']))
      throw new Failure('request_invalid', { note: 'body holds U+0000' });
  });
}
