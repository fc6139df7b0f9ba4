import {
  type BrowserClient,
  browserTracingIntegration,
  replayIntegration,
  startBrowserTracingNavigationSpan,
} from '@sentry/browser';
import { onConsent } from '../../../site/consent/current-consent.ts';

const idleMs = 1000;
const finalMs = 30_000;
const heartbeatMs = 5000;
/** A measurement ends when nothing has changed for three intervals. */
const beats = 3;

/** Times each further page. An address that is only rewritten, with a variant or a result, is the same page. */
function timeNavigations(client: BrowserClient): void {
  // A browser without this API times only the first page.
  globalThis.navigation?.addEventListener('currententrychange', ({ from: { url } }) => {
    if (url === null || new URL(url).pathname === location.pathname) return;
    startBrowserTracingNavigationSpan(client, {
      name: location.pathname,
      attributes: { 'sentry.source': 'url', 'sentry.origin': 'auto.navigation.browser' },
    });
  });
}

/**
 * Times pages and records sessions, for the configured share of visits and while the visitor consents to statistics.
 * Stores nothing on the device, masks texts and fields, and omits pictures.
 */
export function record(client: BrowserClient): void {
  client.addIntegration(
    browserTracingIntegration({
      idleTimeout: idleMs,
      finalTimeout: finalMs,
      instrumentNavigation: false,
      childSpanTimeout: beats * heartbeatMs,
      linkPreviousTrace: 'off',
      enableInp: false,
    }),
  );
  timeNavigations(client);
  const replay = replayIntegration({
    stickySession: false,
    maskAllText: true,
    maskAllInputs: true,
    blockAllMedia: true,
    // Its own worker would be created from a text, which our policy forbids.
    useCompression: false,
    networkDetailAllowUrls: [],
    networkCaptureBodies: false,
    beforeAddRecordingEvent: () => null,
  });
  client.addIntegration(replay);
  let isRecording = true;
  onConsent(({ statistics }) => {
    if (statistics === isRecording) return;
    isRecording = statistics;
    if (statistics) replay.start();
    // Unsent data is no longer covered by consent.
    else void replay.stop({ flush: false });
  });
}
