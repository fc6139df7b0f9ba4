import type { Journey } from './journey.ts';

export const operatorPassword = 'correct horse battery staple';

/**
 * A browser at the operator's desk: it keeps the desk's cookies, follows the responses to forms, and runs no scripts.
 */
export interface DeskVisit {
  /** Cookies by their names, as the browser sends them. */
  readonly cookies: Map<string, string>;
  /** Requests an address below `/operator`, without following redirects. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The text of a page. @throws Error for any response other than 200 */
  read(path: string): Promise<string>;
  /** Submits the form of a page, like a browser. @returns the page after the redirect */
  send(path: string, action: string, fields?: Readonly<Record<string, string | Blob>>): Promise<Sent>;
  /** @param named what the log-in of several operators asks for as well */
  logIn(password?: string, named?: { readonly name: string; readonly code?: string }): Promise<Response>;
}

/** The outcome of a form. */
interface Sent {
  readonly status: number;
  /** The address of the browser afterwards, with the query. */
  readonly location: string;
  readonly html: string;
  /** The desk's message at the top. */
  readonly notice: string;
}

const sameOrigin = { 'sec-fetch-site': 'same-origin' };

/** The text of a page's notice; empty without one. */
export const noticeIn = (html: string): string =>
  /<p class="desk-notice"[^>]*>(.*?)<\/p>/s.exec(html)?.[1]?.replaceAll('&#x27;', "'") ?? '';

const tokenIn = (html: string): string => /name="token" value="([^"]+)"/.exec(html)?.[1] ?? '';

/** Opens a browser that has never been at the desk. @param given headers of each request, as a proxy sets them */
export function visitDesk(
  { get }: Pick<Journey, 'get'>,
  given: Readonly<Record<string, string>> = {},
): DeskVisit {
  const cookies = new Map<string, string>();

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      ...given,
      ...(cookie !== '' && { cookie }),
      ...(init.headers as Record<string, string>),
    };
    const response = await get(path, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  async function read(path: string): Promise<string> {
    const response = await request(path);
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}`);
    return response.text();
  }

  return {
    cookies,
    request,
    read,
    logIn: (password = operatorPassword, named) =>
      request('/operator/log-in', {
        method: 'POST',
        headers: sameOrigin,
        body: new URLSearchParams({ password, ...named }),
      }),
    async send(path, action, fields = {}) {
      const token = tokenIn(await read(path));
      const all = Object.entries<string | Blob>({ token, action, ...fields });
      const hasFiles = all.some(([, value]) => value instanceof Blob);
      const form = hasFiles ? new FormData() : new URLSearchParams();
      for (const [name, value] of all) (form as FormData).append(name, value);
      const answer = await request(path, { method: 'POST', headers: sameOrigin, body: form });
      const location = answer.headers.get('location') ?? path;
      const html = answer.status === 303 ? await read(location) : await answer.text();
      return { status: answer.status, location, html, notice: noticeIn(html) };
    },
  };
}

/** Writes to the operator like a visitor. @returns the message's number, as the desk lists it */
export async function writeMessage(
  { get }: Journey,
  desk: Pick<DeskVisit, 'read'>,
  name: string,
): Promise<string> {
  await get('/api/contact', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name,
      email: 'ada@example.org',
      subject: 'A <b>question</b>',
      message: 'How do I save a slideshow\nwith its sound?',
    }),
  });
  return /\/operator\/messages\/(\d+)/.exec(await desk.read('/operator/messages'))?.[1] ?? '';
}
