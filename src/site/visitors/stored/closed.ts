import { cookieValue, storeCookie } from '../stored-cookies.ts';
import { closedItem } from './stored-item.ts';

/** Times of closing, in seconds since the epoch, by element name. */
type Closed = ReadonlyMap<string, number>;

/** The form of `popup_date`: `push:1732294800.side-banner:1732294900`. */
const entryPattern = /^([a-z][a-z0-9-]{0,39}):(\d{1,12})$/;

/** Parses the cookie; entries older than a day, and malformed ones, are skipped. @param nowS seconds since the epoch */
export function readClosed(value: string | null, nowS: number): Closed {
  const entries = (value ?? '').split('.').flatMap((entry): [string, number][] => {
    const [, name = '', text = ''] = entryPattern.exec(entry) ?? [];
    const atS = Number(text);
    return name !== '' && atS <= nowS && nowS - atS < closedItem.lifeS ? [[name, atS]] : [];
  });
  return new Map(entries);
}

/** The cookie's value for what is closed. */
export const writeClosed = (closed: Closed): string =>
  [...closed].map(([name, atS]) => `${name}:${atS}`).join('.');

const nowS = () => Math.floor(Date.now() / 1000);

/** Whether the visitor has closed something within the last day. @param name small letters, digits and "-" */
export const wasClosed = (name: string): boolean => readClosed(cookieValue('popup_date'), nowS()).has(name);

/** Keeps an element closed for a day. @param name lower-case letters, digits and "-" */
export function rememberClosed(name: string): void {
  const now = nowS();
  const closed = new Map(readClosed(cookieValue('popup_date'), now)).set(name, now);
  storeCookie('popup_date', writeClosed(closed), closedItem.lifeS);
}
