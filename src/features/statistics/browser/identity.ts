import { statisticsItems } from '../../../site/visitors/stored/statistics-items.ts';
import { cookieText, cookieValue, storeCookie } from '../../../site/visitors/stored-cookies.ts';

/** Writes one of the listed cookies, for as long as the list says. */
const store = (name: keyof typeof statisticsItems, value: string) =>
  storeCookie(name, value, statisticsItems[name].lifeS);

/** Lifetime of the present session according to the last response; seconds. */
let sessionLifeS: number = statisticsItems.s_id.lifeS;

/** Whether the server has assigned all names: its responses then need not be read. */
export const isKnown = (): boolean => ['token_id', 's_id', 'doc_id'].every(cookieValue);

/** The names under which a report is sent; those that there are. */
export function identity() {
  const names = ['token_id', 'tmp_token_id', 'finger_id', 's_id', 'doc_id', 'email'] as const;
  const known = Object.fromEntries(names.map((name) => [name, cookieText(name)]));
  return {
    ...known,
    visit_timestamp: Number(cookieValue('visit_timestamp')) || null,
  };
}

interface GuestRecord {
  readonly last_active: number;
  readonly session_count: number;
  readonly created_at: number;
  readonly user_agent: string;
  readonly popup_count: number;
}

function readGuest(): Partial<GuestRecord> {
  try {
    return JSON.parse(cookieText('guest_record')) ?? {};
  } catch {
    // It is missing, or another program wrote it: start afresh.
    return {};
  }
}

/** Takes note of the guest: of a session that begins, and of what has popped up before them. */
export function addToGuest(sessions: number, popups: number): void {
  const now = Date.now();
  const { created_at = now, session_count = 0, popup_count = 0 } = readGuest();
  const record: GuestRecord = {
    last_active: now,
    session_count: session_count + sessions,
    created_at,
    user_agent: navigator.userAgent,
    popup_count: popup_count + popups,
  };
  store('guest_record', encodeURIComponent(JSON.stringify(record)));
}

/** Assigns the names that the browser makes; random numbers, without fingerprinting. */
export function beginVisit(): void {
  for (const name of ['visitor_guid', 'finger_id'] as const)
    if (!cookieValue(name)) store(name, crypto.randomUUID());
  if (!cookieValue('token_id') && !cookieValue('tmp_token_id')) store('tmp_token_id', crypto.randomUUID());
  addToGuest(cookieValue('s_id') ? 0 : 1, 0);
}

/** A visit continues for as long as reports are made. */
export function continueSession(): void {
  const session = cookieValue('s_id');
  if (session !== null) storeCookie('s_id', session, sessionLifeS);
}

/** Names that an answer may give. */
const given = ['token_id', 'tmp_token_id', 'doc_id', 'visit_timestamp', 's_id'] as const;

/** Stores the server's assigned names. @param answer its JSON; invalid parts are skipped */
export function learn(answer: unknown): void {
  const { cscode, data } = (answer ?? {}) as { cscode?: unknown; data?: Readonly<Record<string, unknown>> };
  if (cscode !== 0 || !data) return;
  sessionLifeS = Number(data.s_expiration) || sessionLifeS;
  for (const name of given) {
    const value = String(data[name] ?? '');
    if (/^[\w.-]{8,64}$/.test(value)) store(name, value);
  }
  continueSession();
  if (data.token_id) storeCookie('tmp_token_id', '', 0);
}

/** Number of remembered pages. */
const trackLength = 5;

/** Takes note of the page, behind the last ones. */
export function trackPath(key: string): void {
  const track = [...(cookieValue('path_track')?.split(',') ?? []), key];
  store('path_track', track.slice(-trackLength).join(','));
}
