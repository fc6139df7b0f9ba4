/** Pages and their data; the oldest go first. */
const mostPages = 60;

/** Ignores storage that is full or forbidden: nothing is cached then. */
function unlessFull(thrown: unknown): void {
  if (!(thrown instanceof DOMException)) throw thrown;
}

/** Browsers refuse a redirected response from the cache. */
const mayKeep = ({ ok, type, redirected, headers }: Response) =>
  ok && type === 'basic' && !redirected && !/no-store/.test(headers.get('cache-control') ?? '');

/** No page of the site has such an address. */
const tabNote = (id: string) => `/tabs/${id}`;

const plain = ({ origin, pathname }: URL) => origin + pathname;

/**
 * The caches of one build on a device: its files, and copies of pages.
 * @param version of the build; others use other names
 */
export function openOfflineCaches(version: string, caches: CacheStorage) {
  const names = { assets: `assets-${version}`, pages: `pages-${version}` };
  const isGone = ({ status }: Response) => status === 404 || status === 410;

  return {
    /** A built file, of any version. */
    asset: (request: Request) => caches.match(request, { ignoreVary: true }),

    /** The copy of a page or of its data, ignoring the query. */
    async page(url: URL) {
      return (await caches.open(names.pages)).match(plain(url), { ignoreVary: true });
    },

    async keepAsset(request: Request, response: Response) {
      if (!mayKeep(response)) return;
      await (await caches.open(names.assets)).put(request, response).catch(unlessFull);
    },

    /** Stores a cacheable page, and forgets a missing one. */
    async keepPage(url: URL, response: Response) {
      const pages = await caches.open(names.pages);
      if (isGone(response)) await pages.delete(plain(url), { ignoreVary: true });
      // With a query it may be another page, or one visitor's.
      if (url.search !== '' || !mayKeep(response)) return;
      await pages.put(plain(url), response).catch(unlessFull);
      const [...keys] = await pages.keys();
      await Promise.all(keys.slice(0, -mostPages).map((key) => pages.delete(key)));
    },

    /** Fetches the pages' files. @throws TypeError when one is unavailable */
    async fetchAssets(paths: readonly string[]) {
      await (await caches.open(names.assets)).addAll([...paths]);
    },

    /** Records that a tab's document has another version: browsers stop and restart workers at will. */
    async noteOtherTab(id: string) {
      await (await caches.open(names.assets)).put(tabNote(id), new Response()).catch(unlessFull);
    },

    async isOtherTab(id: string) {
      return (await (await caches.open(names.assets)).match(tabNote(id))) !== undefined;
    },

    /** Deletes the caches of other versions. */
    async dropOthers() {
      const own: readonly string[] = Object.values(names);
      const others = (await caches.keys()).filter((name) => !own.includes(name));
      await Promise.all(others.map((name) => caches.delete(name)));
    },
  };
}
