import type { FileStore, StoredFacts } from '../../stores/contracts/file-store.ts';

/** The parts of a post that its slideshow's video lacks. */
export interface Lacks {
  /** Its sound, which could not be had; false when left out. */
  readonly isSoundless?: boolean | undefined;
  /** Pictures that could not be had or read; none when left out. */
  readonly missingPictures?: number | undefined;
}

/** They may come with the next try, and must then not be kept from visitors for an hour. */
const lackingForMs = 5 * 60_000;

/** Writes into the validator of a slideshow's video what the video lacks. It is known wherever the file is. */
export function markedLacking(etag: string, { isSoundless = false, missingPictures = 0 }: Lacks): string {
  if (!isSoundless && missingPictures === 0) return etag;
  return etag.replace('"', `"lacks-${isSoundless ? 's' : ''}${missingPictures}-`);
}

/** The opposite of {@link markedLacking}; nothing for any other file. @param etag its validator */
export function lacksOf(etag: string): Lacks {
  const [, sound, pictures] = /^"lacks-(s?)(\d{1,4})-/.exec(etag) ?? [];
  return {
    ...(sound === 's' && { isSoundless: true }),
    ...(Number(pictures) > 0 && { missingPictures: Number(pictures) }),
  };
}

/** Finished files, of which those that lack something are soon made again. @param now ms since the epoch */
export function withoutStaleLacking(
  store: Pick<FileStore, 'open' | 'facts'>,
  now: () => number = Date.now,
): Pick<FileStore, 'open' | 'facts'> {
  const isStale = ({ etag, madeAt }: StoredFacts) =>
    Object.keys(lacksOf(etag)).length > 0 && now() - madeAt > lackingForMs;
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
