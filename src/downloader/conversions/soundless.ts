import type { FileStore, StoredFacts } from '../../stores/contracts/file-store.ts';

const mark = '"soundless-';

/** The sound may come with the next try, and must then not be kept from visitors for an hour. */
const soundlessForMs = 5 * 60_000;

/** Marks the validator of a slideshow's video whose sound could not be had. It is known wherever the file is. */
export const markedSoundless = (etag: string, isSoundless: boolean): string =>
  isSoundless ? etag.replace('"', mark) : etag;

/** Whether a file is a slideshow's video that lacks its sound. @param etag its validator */
export const isSoundless = (etag: string): boolean => etag.startsWith(mark);

/** Finished files, of which those that lack their sound are soon made again. @param now ms since the epoch */
export function withoutStaleSoundless(
  store: Pick<FileStore, 'open' | 'facts'>,
  now: () => number = Date.now,
): Pick<FileStore, 'open' | 'facts'> {
  const isStale = ({ etag, madeAt }: StoredFacts) => isSoundless(etag) && now() - madeAt > soundlessForMs;
  return {
    async open(key) {
      const file = await store.open(key);
      if (file === null || !isStale(file)) return file;
      await file.close();
      return null;
    },
    async facts(key) {
      const facts = await store.facts(key);
      return facts === null || isStale(facts) ? null : facts;
    },
  };
}
