import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../failures/failures.ts';
import { asTyped } from '../../server/http/plain-text.ts';
import { addressBlock } from '../../server/http/visitor/network-address.ts';
import { readForm } from './forms.ts';
import { isToken, type Session } from './log-in/sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator's; null for visitors. */
    deskSession: Session | null;
  }
}

export const blockOf = ({ ip }: FastifyRequest) => addressBlock(ip ?? '');
export const queryOf = ({ url }: FastifyRequest) =>
  new URLSearchParams([...new URLSearchParams(url.split('?', 2)[1] ?? '')].map((pair) => pair.map(asTyped)));
export const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? '';

export const formIn = (request: FastifyRequest): Promise<FormData> =>
  readForm(request.body, request.headers['content-type']);

export const sendPage = (reply: FastifyReply, html: string) =>
  reply.type('text/html; charset=utf-8').send(html);

/** @throws Error where nobody is logged in, which the address has to see to */
export function sessionOf({ deskSession }: FastifyRequest): Session {
  if (deskSession === null) throw new Error('Nobody is logged in.');
  return deskSession;
}

/** @throws Failure `request_invalid` for a form that no page of this session has sent */
export function checkToken(session: Session, form: FormData): void {
  if (!isToken(session, form.get('token')))
    throw new Failure('request_invalid', { note: 'the form is not of this session' });
}
