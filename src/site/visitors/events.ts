/** A visitor's action in its reported form: `upload_id`, `mode` and `data` of `POST /api/web/report`. */
export interface VisitorEvent {
  readonly upload_id: string;
  readonly mode: 'page_view' | 'event';
  readonly data: Readonly<Record<string, unknown>>;
}

type EventListener = (event: VisitorEvent) => void;

/** Number of past events that a new listener gets. */
const mostRecent = 20;

const listeners = new Set<EventListener>();
const recent: VisitorEvent[] = [];

/** Notifies this page's listeners (such as developer mode) of an event in its sent form. Sends nothing itself. */
export function announce(event: VisitorEvent): void {
  recent.push(event);
  if (recent.length > mostRecent) recent.shift();
  for (const listener of listeners) listener(event);
}

/** Calls back for each event, and at once for the last past ones. @returns a function that ends it */
export function onEvent(listener: EventListener): () => void {
  for (const event of recent) listener(event);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
