import {
  type BrowserClient,
  browserTracingIntegration,
  replayIntegration,
  startBrowserTracingNavigationSpan,
} from '@sentry/browser';
import { onConsent } from '../../../web/consent/current-consent.ts';

const idleMs = 1000;
const finalMs = 30_000;
const heartbeatMs = 5000;
/** What is timed ends when nothing has moved for three beats. */
const beats = 3;

/** Times each further page. An address that is only written anew, with a variant or a result, is the page that was there. */
function timeNavigations(client: BrowserClient): void {
  // A browser without it is timed on the first page alone.
  globalThis.navigation?.addEventListener('currententrychange', ({ from: { url } }) => {
    if (url === null || new URL(url).pathname === location.pathname) return;
    startBrowserTracingNavigationSpan(client, {
      name: location.pathname,
      attributes: { 'sentry.source': 'url', 'sentry.origin': 'auto.navigation.browser' },
    });
  });
}

/**
 * Times pages and records what is done on them, of the share of visits that the settings say: as long as the visitor
 * agrees to statistics. Nothing is kept on the device, texts and fields are masked, and pictures left out.
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
    // A worker of its own would be made of a text, which no policy of ours allows.
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
    // What waits to be sent is not covered any more.
    else void replay.stop({ flush: false });
  });
}
