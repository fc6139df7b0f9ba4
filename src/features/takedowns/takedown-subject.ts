import type { Extractor } from '../../downloader/extractors/extractor.ts';
import { platforms } from '../../downloader/extractors/platforms.ts';
import { locatePost } from '../../downloader/posts/locate-post.ts';
import { Failure } from '../../failures/failures.ts';
import { nameOf, type TakedownSubject } from './takedowns.ts';

const limitMs = 60_000;

/** A text that names neither a post nor an author, or a short link that leads nowhere. */
export class NoSubject extends Error {
  override readonly name = 'NoSubject';
}

/** Extractors, opened for one question. */
interface OpenedPlatform {
  readonly extractors: readonly Extractor[];
  close(): Promise<void>;
}

/** Only the platform knows which post a short link leads to. */
async function locate(text: string, open: () => Promise<OpenedPlatform>): Promise<TakedownSubject> {
  const { extractors, close } = await open();
  try {
    const { reference } = await locatePost(text, extractors, AbortSignal.timeout(limitMs));
    return { kind: 'post', name: nameOf(reference.platform, reference.id) };
  } finally {
    await close();
  }
}

/** The post or the author that a link names. @throws NoSubject */
export async function subjectOf(text: string, open: () => Promise<OpenedPlatform>): Promise<TakedownSubject> {
  for (const { links } of platforms) {
    const handle = links.author.exec(text.trim())?.[1];
    if (handle !== undefined) return { kind: 'author', name: nameOf(links.platform, handle.toLowerCase()) };
  }
  try {
    return await locate(text, open);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    throw new NoSubject(`${text} is neither a post nor an author (${thrown.key})`, { cause: thrown });
  }
}
