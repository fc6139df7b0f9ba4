import type { Messages } from '../../../i18n/translate.ts';
import styles from './panel.css?inline';

/** One line of the panel. */
export interface PanelRow {
  /** Message of the catalogue page `developer`. */
  readonly label: string;
  readonly value: string;
}

/** The panel of developer mode. */
export interface Panel {
  /** Puts other lines in the place of those that are there, and everything that is known below them. */
  show(rows: readonly PanelRow[], state: unknown): void;
  /** Adds an event at the top. */
  addEvent(name: string, event: unknown): void;
  remove(): void;
}

const mostEvents = 50;

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

/** Something with all that is in it, closed. */
const folded = (summary: string, value: unknown) =>
  element('details', element('summary', summary), element('pre', JSON.stringify(value, null, 2)));

/**
 * Shows a panel in the page's corner. It stands in a tree of its own: neither the page's styles nor its scripts meet it.
 * @param labels of the catalogue page `developer`
 * @param end called when the visitor has enough
 */
export function openPanel(labels: Messages, end: () => void): Panel {
  const label = (name: string) => String(labels[name] ?? name);
  const host = element('aside');
  host.setAttribute('aria-label', label('title'));
  host.className = 'developer-panel';
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];

  const facts = element('dl');
  const whole = element('div');
  const events = element('div');
  const button = element('button', label('end'));
  button.type = 'button';
  button.addEventListener('click', end);
  const body = element('div', facts, whole, element('h2', label('events')), events, button);
  body.className = 'body';
  const panel = element('details', element('summary', label('title')), body);
  panel.className = 'panel';
  // On a phone it would cover the page.
  panel.open = matchMedia('(min-width: 64rem)').matches;
  root.append(panel);
  document.body.append(host);

  return {
    show(rows, state) {
      facts.replaceChildren(
        ...rows.flatMap(({ label: name, value }) => [element('dt', label(name)), element('dd', value)]),
      );
      const wasOpen = whole.querySelector('details')?.open ?? false;
      const fold = folded(label('state'), state);
      fold.open = wasOpen;
      whole.replaceChildren(fold);
    },
    addEvent(name, event) {
      events.prepend(folded(name, event));
      if (events.childElementCount > mostEvents) events.lastElementChild?.remove();
    },
    remove: () => host.remove(),
  };
}
