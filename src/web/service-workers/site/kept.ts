/** What the worker keeps: the build's files and copies of pages, each under the version that they belong to. */
export interface Kept {
  /** A file of the build, of whichever version. */
  asset(request: Request): Promise<Response | undefined>;
  /** The copy of a page or of its data, whatever the query. */
  page(url: URL): Promise<Response | undefined>;
  keepAsset(request: Request, answer: Response): Promise<void>;
  /** Keeps what may be kept, and forgets what is gone. */
  keepPage(url: URL, answer: Response): Promise<void>;
  /** Fetches the files that pages are made of. @throws TypeError when one cannot be had */
  fetchAssets(paths: readonly string[]): Promise<void>;
  /** Notes that a tab's document is of another version: a browser ends workers and begins them anew as it likes. */
  noteOtherTab(id: string): Promise<void>;
  isOtherTab(id: string): Promise<boolean>;
  /** Deletes what other versions have kept. */
  dropOthers(): Promise<void>;
}

/** Pages and their data; the oldest go first. */
const mostPages = 60;

/** No room, or storing is forbidden: only means that nothing is kept. */
function unlessFull(thrown: unknown): void {
  if (!(thrown instanceof DOMException)) throw thrown;
}

/** A page that led elsewhere would be refused by the browser when it is given back. */
const mayKeep = ({ ok, type, redirected, headers }: Response) =>
  ok && type === 'basic' && !redirected && !/no-store/.test(headers.get('cache-control') ?? '');

/** No page of the site has such an address. */
const tabNote = (id: string) => `/tabs/${id}`;

const plain = ({ origin, pathname }: URL) => origin + pathname;

/** What one build of the site keeps on a device. @param version of the build; others keep under other names */
export function openKept(version: string, caches: CacheStorage): Kept {
  const names = { assets: `assets-${version}`, pages: `pages-${version}` };
  const isGone = ({ status }: Response) => status === 404 || status === 410;

  return {
    asset: (request) => caches.match(request, { ignoreVary: true }),

    async page(url) {
      return (await caches.open(names.pages)).match(plain(url), { ignoreVary: true });
    },

    async keepAsset(request, answer) {
      if (!mayKeep(answer)) return;
      await (await caches.open(names.assets)).put(request, answer).catch(unlessFull);
    },

    async keepPage(url, answer) {
      const pages = await caches.open(names.pages);
      if (isGone(answer)) await pages.delete(plain(url), { ignoreVary: true });
      // With a query it may be another page, or one visitor's.
      if (url.search !== '' || !mayKeep(answer)) return;
      await pages.put(plain(url), answer).catch(unlessFull);
      const [...keys] = await pages.keys();
      await Promise.all(keys.slice(0, -mostPages).map((key) => pages.delete(key)));
    },

    async fetchAssets(paths) {
      await (await caches.open(names.assets)).addAll([...paths]);
    },

    async noteOtherTab(id) {
      await (await caches.open(names.assets)).put(tabNote(id), new Response()).catch(unlessFull);
    },

    async isOtherTab(id) {
      return (await (await caches.open(names.assets)).match(tabNote(id))) !== undefined;
    },

    async dropOthers() {
      const own: readonly string[] = Object.values(names);
      const others = (await caches.keys()).filter((name) => !own.includes(name));
      await Promise.all(others.map((name) => caches.delete(name)));
    },
  };
}
