import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../failures/failures.ts';
import { asTyped } from '../../server/http/plain-text.ts';
import { readCookie, writeCookie } from '../../server/http/visitor/cookies.ts';
import { addressBlock } from '../../server/http/visitor/network-address.ts';
import { deviceMs } from './log-in/log-in.ts';
import { isToken, type Session, sessionMs } from './log-in/sessions.ts';

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

/**
 * Reads a form as browsers send it: `application/x-www-form-urlencoded` or `multipart/form-data`. Its texts
 * hold no control characters besides tabs and line breaks.
 * @throws Failure `request_invalid`
 */
export async function formIn({ body, headers }: FastifyRequest): Promise<FormData> {
  try {
    const sent = await new Response(body instanceof Buffer ? new Uint8Array(body) : '', {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData();
    const form = new FormData();
    for (const [name, value] of sent) addText(form, name, typeof value === 'string' ? value : '');
    return form;
  } catch (cause) {
    throw new Failure('request_invalid', { cause, note: 'body is no form' });
  }
}

/** Adds a text to a form, as it can be typed. */
export const addText = (form: FormData, name: string, value: string): void =>
  form.append(asTyped(name), asTyped(value));

/** The text of a field; empty when there is none. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** Fields of the desk itself, and one that no page shows again. */
const own = new Set(['token', 'action', 'password']);

/** The texts of a form, for the page that shows it again. */
export const sentTexts = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    [...form].filter(
      (field): field is [string, string] => typeof field[1] === 'string' && !own.has(field[0]),
    ),
  );

/** Sent to the desk alone. */
const lives = { 'operator-session': sessionMs, 'operator-device': deviceMs };

type DeskCookie = keyof typeof lives;

/** @returns the text of one of the desk's cookies; null when it was not sent */
export const deskCookie = ({ headers }: FastifyRequest, name: DeskCookie): string | null =>
  readCookie(headers.cookie, name);

/** A `Set-Cookie` line of the desk. @param value null takes the cookie away */
export const setDeskCookie = (name: DeskCookie, value: string | null, isSecure: boolean): string =>
  writeCookie(
    {
      name,
      value: value ?? '',
      maxAgeS: value === null ? 0 : lives[name] / 1000,
      isForScripts: false,
      path: '/operator',
      sameSite: 'strict',
    },
    isSecure,
  );
