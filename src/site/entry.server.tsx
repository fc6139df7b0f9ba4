import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { servicesContext } from './load-context.ts';
import { RequestIdProvider } from './request-id.tsx';
import { shownStatus } from './shown-status.ts';

export { createLoadContext } from './load-context.ts';

/**
 * Renders a whole document before the first byte leaves: a failure is then a clean error screen with its status, and
 * the page cache gets one piece of text.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  // Not even the layout can be had: the server has a notice for that.
  if (context.staticHandlerContext.loaderData.root === undefined) return new Response(null, { status: 500 });
  headers.set('content-type', 'text/html; charset=utf-8');
  const { requestId } = loadContext.get(servicesContext);
  const html = await renderDocument(
    <RequestIdProvider value={requestId}>
      <ServerRouter context={context} url={request.url} />
    </RequestIdProvider>,
    request.signal,
  );
  const isError = context.staticHandlerContext.errors !== null;
  return new Response(request.method === 'HEAD' ? null : html, {
    status: isError ? shownStatus(status) : status,
    headers,
  });
}

function renderDocument(document: React.ReactNode, signal: AbortSignal): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(document, {
      // Without a limit React moves large parts behind an inline script that puts them in place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady() {
        // React writes UTF-8, and UTF-8 is sent: it never becomes a string in between.
        const chunks: Buffer[] = [];
        const sink = new Writable({
          write(chunk: Buffer, _, written) {
            chunks.push(chunk);
            written();
          },
        });
        sink.on('finish', () => resolve(Buffer.concat(chunks))).on('error', reject);
        pipe(sink);
      },
      onShellError: reject,
      onError: reject,
    });
    signal.addEventListener('abort', () => abort(signal.reason), { once: true });
  });
}

/** Hands what went wrong to the server's log. Answers with a status of their own (404 …) are not errors. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  if (isRouteErrorResponse(error) && error.status < 500) return;
  context
    .get(servicesContext)
    .reportError(isRouteErrorResponse(error) && 'error' in error ? error.error : error);
};
