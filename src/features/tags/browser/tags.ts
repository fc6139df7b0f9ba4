import { loadDocumentWhile } from '../../../site/browser/navigation/guarded-navigation.ts';
import { withTabStorage } from '../../../site/browser/navigation/route-modules.ts';
import { currentConsent, onConsent } from '../../../site/consent/current-consent.ts';
import type { VisitorSettings } from '../../../site/visitors/settings.ts';
import type { storedItems } from '../../../site/visitors/stored/stored-items.ts';

interface TypedScripts {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string | null },
  ): { createScriptURL(url: string): string };
}

/** Address of the tag's script: the configured one, or the usual path of the configured host. */
function addressOf({ host, id }: NonNullable<VisitorSettings['tag']>): URL {
  const url = new URL(host);
  if (url.pathname === '/') url.pathname = '/gtag/js';
  url.searchParams.set('id', id);
  return url;
}

/** The page's default policy lets scripts load scripts from the tag's host and from here, and nothing else be made. */
function allowed(url: URL): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TypedScripts };
  const origins = [url.origin, location.origin];
  const isOurs = (address: string) => origins.includes(new URL(address, location.href).origin);
  const policy = trustedTypes?.createPolicy('default', {
    createScriptURL: (address) => (isOurs(address) ? address : null),
  });
  return policy?.createScriptURL(url.href) ?? url.href;
}

/** Loads the tag script of the document's language; a withdrawal of consent reloads the page without it. */
export function startHere({ tag }: VisitorSettings): void {
  if (tag === undefined) return;
  const layer: unknown[] = [];
  Object.assign(globalThis, { dataLayer: layer });
  // The script recognises calls by their being `arguments` objects.
  function call(..._words: unknown[]): void {
    // biome-ignore lint/complexity/noArguments: see above
    layer.push(arguments);
  }
  call('js', new Date());
  const referrer = takeReferrer();
  if (referrer === '') call('config', tag.id);
  else call('config', tag.id, { page_referrer: referrer });
  const script = document.createElement('script');
  script.async = true;
  script.src = allowed(addressOf(tag));
  document.head.append(script);
  onConsent(({ marketing }) => {
    if (!marketing) location.reload();
  });
}

/** Has the next page come as a document, whose policy lets the tag script in; it learns where the visit came from. */
export function startWithNextDocument(): void {
  loadDocumentWhile(() => currentConsent().marketing);
  onConsent(({ marketing }) => keepReferrer(marketing ? document.referrer : ''));
}

const referrerItem: keyof typeof storedItems = 'first-referrer';

/** Keeps the referrer of a visit's first document for the next one, in this tab; nothing deletes it. */
const keepReferrer = (referrer: string): void =>
  void withTabStorage((storage) =>
    referrer === '' ? storage.removeItem(referrerItem) : storage.setItem(referrerItem, referrer),
  );

/** The kept referrer, once; empty without one. */
const takeReferrer = (): string =>
  withTabStorage((storage) => {
    const kept = storage.getItem(referrerItem);
    storage.removeItem(referrerItem);
    return kept;
  }) ?? '';
