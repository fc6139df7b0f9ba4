import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const all = { statistics: true, marketing: true };
const none = { statistics: false, marketing: false };

/** A visitor's page, with its own module instance. */
async function openPage(browser: { cookie?: string; navigator?: object } = {}) {
  const document = { cookie: browser.cookie ?? '' };
  vi.stubGlobal('document', document);
  vi.stubGlobal('navigator', browser.navigator ?? {});
  vi.stubGlobal('addEventListener', () => undefined);
  vi.resetModules();
  return { document, ...(await import('./current-consent.ts')) };
}

/** Other pages of the same visitor. */
let other: BroadcastChannel;
beforeEach(() => {
  other = new BroadcastChannel('consent');
});
afterEach(() => {
  other.close();
  vi.unstubAllGlobals();
});

test('nobody has agreed before the site has asked, or before an answer', async () => {
  const { document, currentConsent, startConsent } = await openPage({ cookie: 'consent=1.11' });
  expect(currentConsent()).toEqual(none);
  startConsent('required');
  expect(currentConsent()).toEqual(all);
  document.cookie = 'lang=de';
  expect(currentConsent()).toEqual(none);
  document.cookie = 'lang=de; consent=1.10; x=1';
  expect(currentConsent()).toEqual({ statistics: true, marketing: false });
  document.cookie = 'x-consent=1.11';
  expect(currentConsent()).toEqual(none);
});

test.each([{ globalPrivacyControl: true }, { doNotTrack: '1' }])('%j is a refusal', async (navigator) => {
  const { currentConsent, startConsent } = await openPage({ cookie: 'consent=1.11', navigator });
  startConsent('implied');
  expect(currentConsent()).toEqual(none);
});

test('a listener receives the current state, and each change once, until it stops', async () => {
  const { document, onConsent, consentChanged, startConsent } = await openPage();
  startConsent('required');
  const received: object[] = [];
  const end = onConsent((consent) => received.push(consent));
  consentChanged();
  document.cookie = 'consent=1.11';
  consentChanged();
  consentChanged();
  expect(received).toEqual([none, all]);
  end();
  document.cookie = 'consent=1.00';
  consentChanged();
  expect(received).toHaveLength(2);
});

test('hears a change in another tab, and the other tab hears one here', async () => {
  const { document, onConsent, consentChanged, startConsent } = await openPage({ cookie: 'consent=1.11' });
  startConsent('required');
  const received: object[] = [];
  const heardThere = new Promise<void>((resolve) => {
    other.onmessage = () => resolve();
  });
  const changed = new Promise<void>((resolve) => {
    onConsent((consent) => {
      received.push(consent);
      if (received.length === 2) resolve();
    });
  });
  document.cookie = 'consent=1.00';
  other.postMessage(null);
  await changed;
  expect(received).toEqual([all, none]);
  consentChanged();
  await heardThere;
});
