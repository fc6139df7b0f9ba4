import { readCookie, writeCookie } from '../../server/http/visitor/cookies.ts';
import { deviceMs } from './log-in/log-in.ts';
import { sessionMs } from './log-in/sessions.ts';

/** Sent to the desk alone. */
const lives = { 'operator-session': sessionMs, 'operator-device': deviceMs };

type DeskCookie = keyof typeof lives;

/** @returns the text of one of the desk's cookies; null when it was not sent */
export const deskCookie = (header: string | undefined, name: DeskCookie): string | null =>
  readCookie(header, name);

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
