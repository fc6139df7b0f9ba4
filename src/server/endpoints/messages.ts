import type { FastifyInstance } from 'fastify';
import { Failure } from '../../failures/failures.ts';
import { availableLocales, cataloguePages, loadMessages } from '../../i18n/catalogue.ts';
import { noneOwn, sendResponse } from '../http/responses/send.ts';

/** Catalogue pages of one request. */
const mostPages = 20;

/**
 * `GET /messages/{locale}/{page.page…}.json`: compiled messages of catalogue pages whose texts a page loads when it
 * needs them. Browsers keep them, and ask whether they have changed.
 */
export function messagesEndpoint(app: FastifyInstance): void {
  app.get<{ Params: { locale: string; file: string } }>('/messages/:locale/:file', (request, reply) => {
    const { params } = request;
    const locale = availableLocales().find((one) => one === params.locale);
    const pages = params.file.replace(/\.json$/, '').split('.', mostPages + 1);
    const isKnown = pages.length <= mostPages && pages.every((page) => cataloguePages().has(page));
    if (locale === undefined || !isKnown || !params.file.endsWith('.json'))
      throw new Failure('address_unknown');
    const messages = Object.assign({}, ...pages.map((page) => loadMessages(locale, page)));
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, no-cache',
    };
    return sendResponse(
      { status: 200, headers, body: Buffer.from(JSON.stringify(messages)) },
      noneOwn,
      request,
      reply,
    );
  });
}
