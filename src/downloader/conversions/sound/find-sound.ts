import { Failure, isOfOneFile } from '../../../failures/failures.ts';
import type { ByteSource } from '../../media/contracts.ts';
import type { Mp4IndexCache } from '../../media/mp4-index-cache.ts';
import { type SniffedSound, sniffSound } from '../../media/sniff-sound.ts';
import { chooseFiles, isSoundSaid, mediaFileKey, soundFiles } from '../../post/choose-files.ts';
import type { MediaSource, Post } from '../../post/post.ts';
import { type PickFile, type RefreshSource, withFreshSource } from '../../posts/fresh-source.ts';
import type { PostResolver } from '../../posts/resolver.ts';
import type { SharedSounds } from './shared-sounds.ts';

/** A sound that can be converted, and the file that it is in. */
interface FoundSound {
  readonly source: ByteSource;
  readonly sound: SniffedSound;
}

type SoundFile = { readonly source: MediaSource };

/** How a post's files are opened. */
export interface SoundFiles {
  readonly resolver: Pick<PostResolver, 'resolve'>;
  /** @param refresh reads the post again, for addresses that have expired */
  readonly openSource: (source: MediaSource, refresh: RefreshSource, knownSize: number | null) => ByteSource;
  /** Tables that were read when the post was. */
  readonly movies: Pick<Mp4IndexCache, 'take'>;
  /** Key that all cuts of one sound share; null for a whole sound, whose file is cached itself. */
  readonly shared?: SharedSounds | null;
}

/** The first of the post's files that has a sound to convert. @throws Failure of the last one, or the signal's reason */
export async function findSound(post: Post, files: SoundFiles, signal: AbortSignal): Promise<FoundSound> {
  const candidates = filesOf(post);
  for (const [number, pick] of candidates.entries()) {
    try {
      return await openSound(post, pick, files, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      if (number < candidates.length - 1 && isOfOneFile(thrown)) continue;
      const isLost = thrown instanceof Failure && thrown.key === 'sound_missing' && isSoundSaid(post);
      throw isLost ? new Failure('sound_unsupported', { cause: thrown, note: 'no file has it' }) : thrown;
    }
  }
  throw new Failure(isSoundSaid(post) ? 'sound_unsupported' : 'sound_missing', {
    note: `${post.kind} without a sound`,
  });
}

async function openSound(
  post: Post,
  pick: PickFile<SoundFile>,
  { resolver, openSource, movies, shared = null }: SoundFiles,
  signal: AbortSignal,
): Promise<FoundSound> {
  const { file, refresh } = await withFreshSource(resolver, post, signal, pick);
  const movie = movies.take(file.source);
  const source = openSource(file.source, refresh, movie?.size ?? null);
  const known = movie === null ? null : ({ kind: 'mp4', movie } as const);
  if (shared !== null) return shared.open(file.source, source, known, signal);
  return { source, sound: known ?? (await sniffSound(source, signal)) };
}

/** Number of a video's files that are searched for a sound. */
const maxFiles = 4;

/**
 * The candidates for the post's sound, the likeliest first, each with a way to find it again in a fresh reading of the
 * post.
 */
function filesOf(post: Post): PickFile<SoundFile>[] {
  if (post.kind === 'photos')
    return post.sound === null ? [] : [(fresh) => present(fresh.sound ?? fresh.songFile)];
  return soundFiles(post, chooseFiles(post))
    .slice(0, maxFiles)
    .map((file, number) => (fresh) => {
      const files = soundFiles(fresh, chooseFiles(fresh));
      return present(files.find((one) => mediaFileKey(one) === mediaFileKey(file)) ?? files[number]);
    });
}

function present(file: SoundFile | null | undefined): SoundFile {
  if (!file) throw new Failure('sound_missing', { note: 'the post has lost its sound' });
  return file;
}
