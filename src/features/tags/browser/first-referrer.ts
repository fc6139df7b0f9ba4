import { withTabStorage } from '../../../site/browser/navigation/route-modules.ts';
import type { storedItems } from '../../../site/visitors/stored/stored-items.ts';

const name: keyof typeof storedItems = 'first-referrer';

/** Keeps the referrer of a visit's first document for the next one, in this tab; nothing deletes it. */
export const keepReferrer = (referrer: string): void =>
  void withTabStorage((storage) =>
    referrer === '' ? storage.removeItem(name) : storage.setItem(name, referrer),
  );

/** The kept referrer, once; empty without one. */
export const takeReferrer = (): string =>
  withTabStorage((storage) => {
    const kept = storage.getItem(name);
    storage.removeItem(name);
    return kept;
  }) ?? '';
