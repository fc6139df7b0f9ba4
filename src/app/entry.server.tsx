import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { renderToReadableStream } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { themeScript } from '../site/browser/device/theme.ts';
import type { DocumentData } from '../site/document/document-data.ts';
import { pageStatus, RequestIdProvider } from '../site/document/request-id.tsx';
import { scriptHashesHeader } from '../site/document/script-hashes.ts';
import { servicesContext } from '../site/loaders/page-context.ts';
import { layoutParts } from './slots/layout-parts.ts';

/**
 * Renders a whole document before the first byte is sent, so that a failure gives a clean error screen with its status,
 * and the page cache gets one text.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { loaderData, errors } = context.staticHandlerContext;
  // Not even the layout could be loaded: the server shows a plain page.
  if (loaderData.root === undefined) return new Response(null, { status: refusedWith(errors) });
  headers.set('content-type', 'text/html; charset=utf-8');
  const { requestId } = loadContext.get(servicesContext);
  const mark = crypto.randomUUID();
  const stream = await renderToReadableStream(
    <RequestIdProvider value={requestId}>
      <ServerRouter context={context} url={request.url} nonce={mark} />
    </RequestIdProvider>,
    {
      nonce: mark,
      signal: request.signal,
      // A larger part would come hidden, for a script to put into its place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
    },
  );
  await stream.allReady;
  const marked = await text(stream);
  const { html, hashes } = takeMarks(marked, mark);
  const own = ownHashes(loaderData.root as DocumentData);
  headers.set(scriptHashesHeader, [...own, ...hashes].join(' '));
  // Bytes, since a Response given a string goes through it three times.
  const bytes = Buffer.from(html);
  const isError = errors !== null;
  return new Response(request.method === 'HEAD' ? null : bytes, {
    status: isError ? pageStatus(status) : status,
    headers,
  });
}

/** The status with which the router refuses an address or a method on its own; 500 for everything that failed. */
function refusedWith(errors: EntryContext['staticHandlerContext']['errors']): number {
  const [error] = Object.values(errors ?? {});
  return isRouteErrorResponse(error) && error.status < 500 ? pageStatus(error.status) : 500;
}

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

const themeScriptHash = hashOf(themeScript);

/** The hashes of a document's own inline scripts. */
const ownHashes = (page: DocumentData): string[] => [
  themeScriptHash,
  ...layoutParts.flatMap(({ scripts }) => scripts?.(page) ?? []).map(hashOf),
];

/**
 * Hashes the inline scripts that React and its router wrote, and no others: only these carry a nonce made for this
 * document, so a script that was injected into a text of the page is not among them.
 */
function takeMarks(marked: string, mark: string): { html: string; hashes: string[] } {
  const attribute = ` nonce="${mark}"`;
  const hashes: string[] = [];
  const parts = marked.split(attribute);
  for (const [at, part] of parts.entries()) {
    // Links to style sheets are marked as well.
    if (!/<script\b[^<>]*$/.test(parts[at - 1]?.slice(-500) ?? '')) continue;
    const [, script = ''] = /^[^<>]*>(.*?)<\/script>/s.exec(part) ?? [];
    if (script !== '') hashes.push(hashOf(script));
  }
  return { html: marked.replaceAll(attribute, ''), hashes };
}

/** Reports errors to the server's log. Responses with a status of their own (404 …) are not errors. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  if (isRouteErrorResponse(error) && error.status < 500) return;
  context
    .get(servicesContext)
    .reportError(isRouteErrorResponse(error) && 'error' in error ? error.error : error);
};
