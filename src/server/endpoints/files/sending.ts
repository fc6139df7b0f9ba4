import { once } from 'node:events';
import { create } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Post } from '../../../downloader/post/post.ts';
import { ClientPace } from '../../../downloader/streaming/relay.ts';
import { onceClosed } from '../../http/disconnect.ts';

/**
 * `Content-Disposition` of a download (RFC 6266): an ASCII name for old programs and the exact name for others (RFC
 * 8187).
 * @param name from {@link fileName}
 */
export function contentDisposition(name: string): string {
  return create(name.toWellFormed(), { fallback: name.replace(/[^\x20-\x7e]|["\\%]/gu, '_') });
}

/** The parts of a file's name. */
export const nameParts = ({ author, id, title, createdAt }: Post) => ({
  ...{ author: author.handle, id, text: title, createdAt },
});

/** Headers of every file: saved under its name, never shown as a page, not stored by shared caches. */
export function fileHeaders(name: string, type: string): Record<string, string> {
  return {
    'content-type': type,
    'content-disposition': contentDisposition(name),
    'cache-control': 'private, no-store',
  };
}

/**
 * Sends bytes at the client's pace. A side that leaves early causes a destroyed connection: a clean end would be a
 * truncated file that looks whole.
 * @param bytes not read when the client has left already: the caller must release their resources
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  headers: Record<string, string | number>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<FastifyReply> {
  const { raw } = reply.headers(headers).hijack();
  if (raw.closed) return reply;
  raw.writeHead(status, reply.getHeaders() as Record<string, string>);
  raw.flushHeaders();
  const pace = new ClientPace({
    isWaiting: () => raw.writableLength > 0,
    tooSlow: () => raw.destroy(),
  });
  onceClosed(raw, () => pace.end());
  try {
    for await (const chunk of bytes) {
      request.firstByteMs ??= reply.elapsedTime;
      const { length } = chunk;
      if (!raw.write(chunk, () => pace.took(length)))
        await once(raw, 'drain', { signal: request.disconnected });
    }
    raw.end();
  } catch (thrown) {
    if (!request.disconnected.aborted) request.log.warn({ err: thrown }, 'file broke off');
    raw.destroy();
  }
  return reply;
}
