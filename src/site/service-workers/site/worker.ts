/**
 * The service worker of the site: pages come from the network while there is one, the build's files from the device. A
 * new version waits until no tab of the old one is open, or takes over with the last one's next page: until then the
 * old worker and its files stay, so that no tab mixes files of two versions.
 */
import { handToManyPosts } from '../../browser/device/many-posts.ts';
import { documentResponse } from '../../browser/navigation/document-response.ts';
import { openOfflineCaches } from './kept.ts';
import { writeOfflinePage } from './offline-page.ts';
import { kindOf, languageOf, textIn } from './requests.ts';
import type { SiteWorkerSettings } from './settings.ts';

declare const self: ServiceWorkerGlobalScope;
/** The server writes it before this script. */
declare const workerSettings: SiteWorkerSettings;

/** After this a cached copy is better than waiting. */
const networkLimitMs = 4000;

const takeOver = 'take-over';

const { version, assets, offlinePage } = workerSettings;
const { origin } = self.location;
const kept = openOfflineCaches(version, self.caches);

/** A fetch without a response is a network failure; any other error is ours and must surface. */
function unlessUnreachable(thrown: unknown): void {
  if (!(thrown instanceof TypeError)) throw thrown;
}

const after = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms));

/**
 * Caches the open pages, which were loaded before there was a worker, and the tool's page in their language.
 */
async function keepOpenPages(): Promise<void> {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const paths = open
    .map(({ url }) => new URL(url).pathname)
    .flatMap((path) => [languageOf(path, workerSettings).home, path]);
  for (const path of new Set(paths)) {
    const response = await fetch(path, { headers: { purpose: 'prefetch' } });
    await kept.keepPage(new URL(path, origin), response);
  }
}

async function activate(): Promise<void> {
  await kept.dropOthers();
  await self.clients.claim();
  // Without a network this waits for the visitor's next page.
  await keepOpenPages().catch(unlessUnreachable);
}

/** The version that an answer belongs to; this one's where it does not say. */
const versionOf = ({ headers }: Response) => headers.get('x-assets-version') ?? version;

/** When no tab of this version is left, the next worker need not wait longer. */
async function letNextTakeOver(): Promise<void> {
  const { waiting } = self.registration;
  if (waiting === null) return;
  const open = await self.clients.matchAll({ type: 'window' });
  const areOthers = await Promise.all(open.map(({ id }) => kept.isOtherTab(id)));
  if (areOthers.length > 0 && areOthers.every(Boolean)) waiting.postMessage(takeOver);
}

async function asset(event: FetchEvent): Promise<Response> {
  event.waitUntil(letNextTakeOver());
  const known = await kept.asset(event.request);
  if (known !== undefined) return known;
  const response = await fetch(event.request);
  event.waitUntil(kept.keepAsset(event.request, response.clone()));
  return response;
}

/** The network's response, or the copy when that is late or fails. @throws TypeError when there is neither */
async function fromNetworkFirst(event: FetchEvent, url: URL, hasCopy: boolean): Promise<Response> {
  const fetched = fetch(event.request);
  const copy = hasCopy ? kept.page(url) : Promise.resolve(undefined);
  event.waitUntil(fetched.then((response) => kept.keepPage(url, response.clone())).catch(unlessUnreachable));
  try {
    return (await Promise.race([fetched, after(networkLimitMs).then(() => copy)])) ?? (await fetched);
  } catch (thrown) {
    unlessUnreachable(thrown);
    const known = await copy;
    if (known === undefined) throw thrown;
    return known;
  }
}

async function page(event: FetchEvent, url: URL): Promise<Response> {
  try {
    const response = await fromNetworkFirst(event, url, textIn(url.searchParams) === '');
    if (versionOf(response) !== version) await kept.noteOtherTab(event.resultingClientId);
    return response;
  } catch (thrown) {
    unlessUnreachable(thrown);
    return new Response(writeOfflinePage(url, workerSettings), { headers: offlinePage.headers });
  }
}

/** Makes the requesting page load the target as a whole document. */
const asDocument = () => new Response(documentResponse.body, { status: documentResponse.status });

/** The data of a page for navigation inside a document; this document's scripts cannot read another version's. */
async function data(event: FetchEvent, url: URL): Promise<Response> {
  try {
    const response = await fromNetworkFirst(event, url, url.search === '');
    return versionOf(response) === version ? response : asDocument();
  } catch (thrown) {
    unlessUnreachable(thrown);
    return asDocument();
  }
}

/** The manifest of an application that takes shared files: only while this worker is there to keep them on the device. */
const manifest = ({ pathname }: URL): Promise<Response> => fetch(`${pathname}?files`);

/** Opens what a phone shares: exports stay on the device, links are looked up. */
async function shared({ request }: FetchEvent, { pathname }: URL): Promise<Response> {
  const form = await request.formData();
  const { home, manyPosts } = languageOf(pathname, workerSettings);
  const files = form.getAll('files').filter((one) => one instanceof File && one.size > 0);
  const text = textIn(form);
  const isTaken = files.length > 0 || text === '';
  if (files.length > 0) await handToManyPosts(files);
  const path = isTaken ? (manyPosts ?? home) : `${home}?${new URLSearchParams({ text })}`;
  return Response.redirect(new URL(path, origin), 303);
}

self.addEventListener('install', (event) => event.waitUntil(kept.fetchAssets(assets)));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => {
  if (event.data === takeOver) event.waitUntil(self.skipWaiting());
});
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  const kind = kindOf(event.request, origin);
  if (kind === 'asset') event.respondWith(asset(event));
  if (kind === 'page') event.respondWith(page(event, url));
  if (kind === 'manifest') event.respondWith(manifest(url));
  if (kind === 'shared') event.respondWith(shared(event, url));
  if (kind === 'data') event.respondWith(data(event, url));
});
