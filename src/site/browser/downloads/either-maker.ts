import type { Locale } from '../../../i18n/languages.ts';
import type { DownloadOption } from '../../api.ts';
import { type BrowserMaker, browserMakerOf, type Refused } from './browser-maker.ts';
import type { ConversionStatus, RequestedFile } from './downloads.ts';
import { presentOption, type Readiness, whenReady } from './file-requests.ts';

/** A requested file, and the callbacks for its progress. */
export interface Wish {
  readonly file: RequestedFile;
  readonly locale: Locale;
  readonly signal: AbortSignal;
  /**
   * Follows the server's conversion of an option; null ends it.
   * @param tell called at each change
   */
  watch(option: DownloadOption | null, tell: (status: ConversionStatus) => void): void;
  /** Called with each status, whether the server or the browser makes the file. */
  follow(status: ConversionStatus): void;
}

/** A file that the browser made. */
interface MadeHere {
  readonly made: File;
}

/** Whether the server refused because it is busy. */
const isBusy = (ready: Readiness) =>
  'key' in ready && (ready.key === 'queue_full' || ready.key === 'overloaded');

/**
 * Waits until a file is available: from the server or, when the server is busy, from this browser. If the browser
 * fails, the server makes the file: its place in the queue is kept until the browser has proved fast enough.
 * @throws as {@link whenReady}
 */
export async function whenMade(wish: Wish): Promise<Readiness | MadeHere> {
  const maker = browserMakerOf(wish.file);
  if (maker === null) return atServer(wish, wish.signal, wish.follow);
  if (maker.ahead === 0) {
    const made = await makeHere(maker, wish, wish.signal, () => {});
    if (made === null) return atServer(wish, wish.signal, wish.follow);
    return made instanceof File ? { made } : made;
  }
  return whicheverIsFirst(maker, wish);
}

function atServer(wish: Wish, signal: AbortSignal, tell: (status: ConversionStatus) => void) {
  const { file, locale, watch } = wish;
  return whenReady(file, locale, signal, (option) => watch(option, tell));
}

async function whicheverIsFirst(maker: BrowserMaker, wish: Wish): Promise<Readiness | MadeHere> {
  const { signal, follow, watch } = wish;
  const long = Promise.withResolvers<null>();
  const place = new AbortController();
  let isHere = false;
  let last: ConversionStatus | null = null;
  const tell = (status: ConversionStatus) => {
    last = status;
    if (!isHere) follow(status);
    if (status.state === 'waiting' && (status.ahead ?? 0) >= maker.ahead) long.resolve(null);
  };
  const server = atServer(wish, AbortSignal.any([signal, place.signal]), tell);
  // A waiting caller gets the failure. Once the place is given up, nobody waits.
  server.catch(() => {});
  const response = await Promise.race([server, long.promise]);
  if (response !== null && !isBusy(response)) return response;

  isHere = true;
  const stop = new AbortController();
  const here = makeHere(maker, wish, AbortSignal.any([signal, stop.signal]), () => {
    place.abort();
    watch(null, tell);
  });
  // The server's turn came before this browser had proved fast enough: take the server's file.
  const turn = response === null ? server : new Promise<never>(() => {});
  const first = await Promise.race([here, turn.catch(() => here)]);
  if (first instanceof File) return { made: first };
  if (first !== null) {
    stop.abort();
    here.catch(() => {});
    return first;
  }
  if (response !== null) return response;
  isHere = false;
  if (place.signal.aborted) return atServer(wish, signal, follow);
  if (last !== null) follow(last);
  return server;
}

/**
 * Makes the file in the browser, and reports it as a conversion's status.
 * @returns null if that fails for any reason
 */
async function makeHere(
  maker: BrowserMaker,
  { file, locale, follow }: Wish,
  signal: AbortSignal,
  proven: () => void,
): Promise<File | Refused | null> {
  let present: ConversionStatus = { state: 'converting', ahead: null, progress: 0, bytes: null, error: null };
  const show = (changed: Partial<ConversionStatus>) => {
    present = { ...present, ...changed };
    follow(present);
  };
  show({});
  try {
    return await maker.make({
      ...{ file, locale },
      href: presentOption(file).href,
      signal,
      proven,
      progress: (progress) => show({ progress }),
      lacks: show,
    });
  } catch (thrown) {
    signal.throwIfAborted();
    // The server makes the file then: only developers need to know.
    console.debug(thrown);
    return null;
  }
}
