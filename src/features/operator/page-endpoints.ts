import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { DeskPage } from '../../server/desk/desk-page.ts';
import type { createActions } from './actions.ts';
import { blockOf, checkToken, formIn, pathOf, queryOf, sendPage, sentTexts, sessionOf } from './http.ts';
import type { Showing } from './showing.ts';
import type { SentForm } from './uploads.ts';

interface PageEndpoints {
  readonly show: Showing;
  readonly actions: ReturnType<typeof createActions>;
  readonly forOperator: onRequestAsyncHookHandler;
}

const bodyLimit = 256 * 1024;

/** Opens the addresses of one of the desk's pages, for reading it and for its forms. */
export function pageEndpoints(scope: FastifyInstance, page: DeskPage, desk: PageEndpoints): void {
  const { upload } = page;
  if (upload === undefined) openPage(scope, page, desk);
  else
    scope.register(async (inner) => {
      await (await import('./uploads.ts')).takeUploads(inner, `/operator/${page.name}`, upload);
      openPage(inner, page, desk);
    });
}

function openPage(
  scope: FastifyInstance,
  page: DeskPage,
  { show, actions, forOperator }: PageEndpoints,
): void {
  const notFound = async (reply: FastifyReply) =>
    sendPage(reply.code(404), await show.problem('Nothing here'));

  for (const url of [`/operator/${page.name}`, `/operator/${page.name}/*`]) {
    scope.get(url, { onRequest: forOperator }, async (request, reply) => {
      const html = await show.page(page, requestOf(request, page), sessionOf(request), pathOf(request));
      return html === null ? notFound(reply) : sendPage(reply, html);
    });

    scope.post(url, { onRequest: forOperator, bodyLimit }, async (request, reply) => {
      await using sent = await sentTo(page, request);
      const { form, file } = sent;
      const asked = requestOf(request, page);
      const path = pathOf(request);
      const { entry, outcome } = await actions(
        page,
        { ...asked, form, file },
        {
          operator: sessionOf(request).operator,
          block: blockOf(request),
        },
      );
      if (outcome.outcome !== 'refused' && outcome.shown === undefined) {
        const next = outcome.next === undefined ? path : `/operator/${outcome.next}`;
        return reply.redirect(`${next}?entry=${entry}`, 303);
      }
      const html = await show.page(page, asked, sessionOf(request), path, {
        notice: { kind: outcome.outcome, text: outcome.text },
        sent: sentTexts(form),
        shown: outcome.shown ?? null,
      });
      if (html === null) return notFound(reply);
      return sendPage(reply.code(outcome.outcome === 'refused' ? 422 : 200), html);
    });
  }
}

const requestOf = (request: FastifyRequest, { name }: DeskPage) => ({
  // Anything else than small letters, digits and dashes is part of no address here.
  parts: pathOf(request)
    .slice(`/operator/${name}`.length)
    .split('/')
    .filter((part) => part !== ''),
  query: queryOf(request),
  signal: request.disconnected,
});

/** Reads a page's form. @throws Failure */
async function sentTo(page: DeskPage, request: FastifyRequest): Promise<SentForm> {
  const session = sessionOf(request);
  if (page.upload !== undefined && request.isMultipart?.() === true) {
    const { readUpload } = await import('./uploads.ts');
    return readUpload(request, page.upload, (form) => checkToken(session, form));
  }
  const form = await formIn(request);
  checkToken(session, form);
  return { form, file: null, async [Symbol.asyncDispose]() {} };
}
