/** What a visitor did, in the form in which it is reported: `upload_id`, `mode` and `data` of `POST /api/web/report`. */
export interface VisitorEvent {
  readonly upload_id: string;
  readonly mode: 'page_view' | 'event';
  readonly data: Readonly<Record<string, unknown>>;
}

type EventListener = (event: VisitorEvent) => void;

/** So many are told to who begins to listen afterwards. */
const mostRecent = 20;

const listeners = new Set<EventListener>();
const recent: VisitorEvent[] = [];

/** Tells who listens on this page (developer mode does) of an event, as it would be sent. Sends nothing itself. */
export function announce(event: VisitorEvent): void {
  recent.push(event);
  if (recent.length > mostRecent) recent.shift();
  for (const listener of listeners) listener(event);
}

/**
 * Calls back for each event, and at once for the last ones before.
 * @returns ends it
 */
export function onEvent(listener: EventListener): () => void {
  for (const event of recent) listener(event);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
