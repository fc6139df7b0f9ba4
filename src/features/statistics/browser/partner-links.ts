import { cookieValue } from '../../../site/visitors/stored-cookies.ts';
import { isPartner } from './link-events.ts';
import { whenChanged } from './when-changed.ts';

const delayMs = 1000;
const parameters = ['token_id', 's_id'] as const;

const partnerLinks = (partners: readonly string[]) =>
  [...document.querySelectorAll<HTMLAnchorElement>('a[href^="http"]')].filter(({ hostname }) =>
    isPartner(hostname, partners),
  );

/** Says in a link who follows it, or no longer. */
function setIdentity(link: HTMLAnchorElement, nameOf: (parameter: string) => string | null): void {
  const url = new URL(link.href);
  for (const parameter of parameters) {
    const value = nameOf(parameter);
    if (!value) url.searchParams.delete(parameter);
    else url.searchParams.set(parameter, value);
  }
  if (url.href !== link.href) link.href = url.href;
}

/**
 * Adds the visitor's names to links to partners, one second after they appear on the page; nowhere else.
 * @param signal removes them again
 */
export function identifyToPartners(partners: readonly string[], signal: AbortSignal): void {
  if (partners.length === 0) return;
  const add = () => {
    for (const link of partnerLinks(partners)) setIdentity(link, cookieValue);
  };
  whenChanged(delayMs, add, signal);
  signal.addEventListener('abort', () => {
    for (const link of partnerLinks(partners)) setIdentity(link, () => null);
  });
}
