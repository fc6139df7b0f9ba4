import type { Upload } from './report-schema.ts';

/** What the request of a report says of the browser: never its address, nor its name for itself. */
export interface Sender {
  readonly device: string;
  readonly browser: string;
  readonly system: string;
}

/** Random names by which reports belong together. */
export interface Identity {
  readonly token: string;
  readonly session: string;
}

/** A report as it is kept. */
export interface Report extends Identity, Sender {
  readonly uploadId: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  readonly mode: Upload['mode'];
  /** Key of the page. */
  readonly page: string;
  readonly locale: string;
  /** Whether the visitor comes for the first time on this day, and whether a visit begins. */
  readonly isFirstOfDay: boolean;
  readonly isFirstOfVisit: boolean;
  readonly payload: KeptPayload;
}

/** What is kept of a payload. */
export type KeptPayload = Omit<Partial<Extract<Upload, { mode: 'event' }>['data']>, keyof typeof notKept>;

/** Names are kept in columns of their own; an e-mail address and a device's are of no use for statistics. */
const notKept = {
  email: true,
  mac: true,
  token_id: true,
  tmp_token_id: true,
  s_id: true,
  finger_id: true,
  xargs_request_type: true,
} as const;

/** An address without its query, in which anything may stand: the link that a visitor pasted, for one. */
function plainAddress(address: string): string {
  const url = URL.parse(address);
  return url === null ? '' : url.origin + url.pathname;
}

const isSomewhere = (value: string | undefined): value is string => value !== undefined && value !== '';

/** What of a report's data is worth keeping. */
export function keptPayload(data: Upload['data']): KeptPayload {
  const kept = Object.fromEntries(Object.entries(data).filter(([key]) => !Object.hasOwn(notKept, key)));
  const { url, referer_url, event_target } = kept as KeptPayload;
  return {
    ...kept,
    ...(isSomewhere(url) && { url: plainAddress(url) }),
    // Where another site sent a visitor from is that site's matter, down to its name.
    ...(isSomewhere(referer_url) && { referer_url: new URL(referer_url).origin }),
    ...(isSomewhere(event_target?.fullurl) && {
      event_target: { ...event_target, fullurl: plainAddress(event_target.fullurl) },
    }),
  };
}
