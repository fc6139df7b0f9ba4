import { rememberClosed, wasClosed } from '../../../site/visitors/stored/closed.ts';
import type { PushSettings } from './settings.ts';
import { subscribe } from './subscription.ts';
import { errorText, showSwitch } from './switch.ts';

/** Its name among the closed elements. */
const name = 'push';

function element(tag: 'p' | 'h3' | 'div' | 'section', className: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function button(strength: 'plain' | 'quiet', text: string, press: () => void): HTMLElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = `button button-${strength}`;
  made.textContent = text;
  made.onclick = press;
  return made;
}

/** Shows the card below the result. The browser's own question comes only after "yes". */
export function offerPush(settings: PushSettings): void {
  const place = document.querySelector('.push-offer');
  if (place === null || wasClosed(name)) return;
  const { texts } = settings;
  const card = element('section', 'card push-card');
  card.ariaLabel = texts.name;
  card.dataset.popup = '';
  const status = element('p', 'push-answer');
  status.role = 'status';
  const buttons = element('div', 'push-buttons');

  async function accept(): Promise<void> {
    try {
      await subscribe(settings);
      status.textContent = texts.done;
      showSwitch(() => settings);
    } catch (error) {
      console.debug(error);
      status.textContent = errorText(settings);
    }
    buttons.remove();
  }

  buttons.append(
    button('plain', texts.yes, () => void accept()),
    button('quiet', texts.no, () => {
      rememberClosed(name);
      card.remove();
    }),
  );
  card.append(element('h3', 'push-title', texts.offer), element('p', '', texts.text), buttons, status);
  place.replaceChildren(card);
}
