import { createHash } from 'node:crypto';
import { Failure } from '../../../failures/failures.ts';
import { withTimeLimit } from '../../async/time-limit.ts';
import { together } from '../../async/together.ts';
import { cutAdts, cutMovie, fadeOf } from '../../cutting/cut-sound.ts';
import { encodeRingtone } from '../../cutting/ringtone.ts';
import { readAdts } from '../../media/adts.ts';
import type { AdtsSound, ByteSource, Mp3Encoder } from '../../media/contracts.ts';
import { type CoverPicture, type SoundTags, writeId3 } from '../../media/id3.ts';
import { writeM4a } from '../../media/m4a.ts';
import { fitMp3, mp3Length } from '../../media/mp3/fit.ts';
import { selectEncoder } from '../../media/mp3/select-encoder.ts';
import type { Movie } from '../../media/mp4/read-movie.ts';
import type { Mp4IndexCache } from '../../media/mp4-index-cache.ts';
import { readSound, type SoundRead } from '../../media/read-sound.ts';
import { type SniffedSound, sniffSound } from '../../media/sniff-sound.ts';
import { type Link, planSound } from '../../media/sound-plan.ts';
import { chooseFiles, isSoundSaid, mediaFileKey, soundFiles } from '../../options/choose-files.ts';
import { type PickFile, type RefreshSource, withFreshSource } from '../../posts/fresh-source.ts';
import type { MediaSource, Post } from '../../posts/post.ts';
import type { PostResolver } from '../../posts/resolver.ts';
import { songOf } from '../../posts/song.ts';
import { etagOf, type PreparedFile, type SoundMaker, type SoundRequest } from '../source.ts';
import type { ReadCover } from './cover.ts';

export interface SoundMakerOptions {
  readonly resolver: Pick<PostResolver, 'resolve'>;
  /** @param refresh reads the post again, for addresses that have expired */
  readonly openSource: (source: MediaSource, refresh: RefreshSource, knownSize: number | null) => ByteSource;
  /** Tables that were read when the post was. */
  readonly movies: Pick<Mp4IndexCache, 'take'>;
  /** The preferred one first. */
  readonly encoders: readonly Mp3Encoder[];
  readonly readCover: ReadCover;
  /** Range requests for one sound at most. */
  readonly maxRequests?: number;
  /** Told how the sound of a video was fetched. */
  readonly observe?: (read: SoundRead) => void;
}

/** What is made, out of what, for whom. */
interface Task extends SoundRequest {
  readonly source: ByteSource;
  readonly tags: SoundTags;
  readonly encoders: readonly Mp3Encoder[];
  readonly link: Partial<Link>;
  readonly observe?: (read: SoundRead) => void;
}

/** For reading where the sound lies: a few hundred kilobytes at most, which a slow server gives within this. */
const prepareLimitMs = 30_000;
/** An ID3v1 tag at the end of an mp3 is this long and begins with `TAG`. */
const id3v1Bytes = 128;

/**
 * Makes sound files out of posts: finds the post, reads where its sound lies, promises a length, and then fetches,
 * encodes and passes on at the same time.
 */
export function createSoundMaker({
  resolver,
  openSource,
  movies,
  encoders,
  readCover,
  maxRequests,
  observe,
}: SoundMakerOptions): SoundMaker {
  const link = maxRequests === undefined ? {} : { maxRequests };

  /** The first of the post's files that has a sound to convert. @throws Failure of the last one */
  async function findSound(post: Post, signal: AbortSignal): Promise<FoundSound> {
    const files = filesOf(post);
    for (const [number, pick] of files.entries()) {
      try {
        return await openSound(post, pick, signal);
      } catch (thrown) {
        signal.throwIfAborted();
        if (number < files.length - 1 && isOfFile(thrown)) continue;
        const isLost = thrown instanceof Failure && thrown.key === 'sound_missing' && isSoundSaid(post);
        throw isLost ? new Failure('sound_unsupported', { cause: thrown, note: 'no file has it' }) : thrown;
      }
    }
    throw new Failure(isSoundSaid(post) ? 'sound_unsupported' : 'sound_missing', {
      note: `${post.kind} without a sound`,
    });
  }

  async function openSound(post: Post, pick: PickFile<SoundFile>, signal: AbortSignal): Promise<FoundSound> {
    const { file, refresh } = await withFreshSource(resolver, post, signal, pick);
    const movie = movies.take(file.source);
    const source = openSource(file.source, refresh, movie?.size ?? null);
    return { source, sound: movie === null ? await sniffSound(source, signal) : { kind: 'mp4', movie } };
  }

  return {
    async prepare(request) {
      const { work, signal } = request;
      const post = await resolver.resolve(work.post, signal);
      const [{ sound, source }, cover] = await withTimeLimit(prepareLimitMs, signal, (limited) =>
        together(limited, (both) => [findSound(post, both), readCover(post, both)]),
      );
      const task = {
        ...request,
        source,
        tags: tagsOf(post, cover),
        encoders,
        // Of a cut, its own bytes alone: it is short, and there are few requests to wait for.
        link: work.cut === undefined ? link : { ...link, latencyMs: 0 },
        ...(observe && { observe }),
      };
      switch (sound.kind) {
        case 'mp4':
          return movieAsSound(task, work.cut === undefined ? sound.movie : cutMovie(sound.movie, work.cut));
        case 'adts': {
          onlyMp3(task, 'raw AAC frames');
          const whole = await readAdts(source, sound.start, signal);
          return encode(task, work.cut === undefined ? whole : await cutAdts(whole, work.cut));
        }
        case 'mp3':
          onlyMp3(task, 'an mp3');
          if (work.cut !== undefined) throw new Failure('cut_unsupported', { note: 'the sound is an mp3' });
          return retag(task, sound.start, post.sound?.durationS ?? post.durationS);
      }
    },
  };
}

/** A sound that can be converted, and the file that it is in. */
interface FoundSound {
  readonly source: ByteSource;
  readonly sound: SniffedSound;
}

type SoundFile = { readonly source: MediaSource };

/** So many files of a video are looked at for a sound. */
const maxFiles = 4;

/** Where the post's sound may be, the likeliest file first, each as it is found again in the post that is read anew. */
function filesOf(post: Post): PickFile<SoundFile>[] {
  if (post.kind === 'photos') return post.sound === null ? [] : [(fresh) => present(fresh.sound)];
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

/** Whether a failure is of the file that was opened, so that another may do. */
function isOfFile(thrown: unknown): boolean {
  const keys: readonly string[] = [
    'media_invalid',
    'media_unavailable',
    'sound_missing',
    'sound_unsupported',
  ];
  return thrown instanceof Failure && keys.includes(thrown.key);
}

function tagsOf(post: Post, cover: CoverPicture | null): SoundTags {
  return { ...namesOf(post), sourceUrl: post.url, ...(cover !== null && { cover }) };
}

/** Somebody else's song has its own name, any other sound that of its post. */
function namesOf(post: Post): Pick<SoundTags, 'title' | 'artist'> {
  const { title, author, id, song } = post;
  const foreign = songOf(post);
  if (foreign !== null) return { title: foreign.title, artist: foreign.artist };
  return {
    title: title.trim() || song?.title || `${author.handle} ${id}`,
    artist: author.name.trim() || author.handle,
  };
}

function onlyMp3({ work }: Task, what: string): void {
  if (work.format !== 'mp3') throw new Failure('option_missing', { note: `the sound is ${what}, not m4a` });
}

async function movieAsSound(task: Task, movie: Movie): Promise<PreparedFile> {
  const { work, source, encoders, link, signal } = task;
  const read = () => readSound(source, movie, planSound(movie, link), task);
  if (work.format === 'mp3') return encode(task, read());
  const encoder = encoders.find(({ encodeAac }) => encodeAac !== undefined);
  // Where nothing here makes AAC, a ringtone has the sound as it is, and ends without fading.
  if (work.cut?.isRingtone !== true || encoder === undefined) return movieAsM4a(task, movie);
  const encoded = await encodeRingtone(encoder, read(), signal);
  // What is read of it now comes from no platform.
  const { observe: _, ...made } = task;
  return movieAsM4a({ ...made, source: encoded.source }, encoded.movie);
}

function encode({ work, tags, encoders, fast, signal }: Task, sound: AdtsSound): PreparedFile {
  const encoder = selectEncoder(encoders, sound.config);
  const fade = work.cut?.isRingtone === true ? fadeOf(sound) : undefined;
  const tag = writeId3({ ...tags, durationMs: sound.durationS * 1000 });
  const length = tag.length + mp3Length(sound);
  return {
    length,
    etag: etagOf(work, length, [encoder.name, fast, sound.bytes, sound.frameCount, hash(tag)]),
    chunks: headThen(tag, fitMp3(encoder.encode({ sound, fast, signal, fade }), sound)),
  };
}

function movieAsM4a(task: Task, movie: Movie): PreparedFile {
  const { work, source, tags } = task;
  const plan = planSound(movie, task.link);
  const { length, chunks } = writeM4a(source, movie, plan, tags, task);
  const { frameCount, bytes } = plan.facts;
  return {
    length,
    etag: etagOf(work, length, ['copy', bytes, frameCount, hash(writeId3({ ...tags, durationMs: 0 }))]),
    chunks,
  };
}

/** A sound that is an mp3 already, as it is, with our tag in place of its own. */
async function retag(task: Task, start: number, durationS: number): Promise<PreparedFile> {
  const { work, source, tags, signal } = task;
  const { size } = source;
  if (size === null)
    throw new Failure('media_unavailable', { note: 'the server does not say how long the mp3 is' });
  const last = await source.read(Math.max(start, size - id3v1Bytes), id3v1Bytes, signal);
  const end =
    last.length === id3v1Bytes && last.toString('latin1', 0, 3) === 'TAG' ? size - id3v1Bytes : size;
  if (end <= start) throw new Failure('sound_missing', { note: 'an mp3 of tags alone' });
  const tag = writeId3({ ...tags, durationMs: durationS * 1000 });
  const length = tag.length + end - start;
  return {
    length,
    etag: etagOf(work, length, ['retag', start, size, hash(tag)]),
    chunks: headThen(tag, source.stream(start, end, signal)),
  };
}

/** The head leaves with the first chunk: what fails at once must fail before the first byte. */
async function* headThen(
  head: Buffer,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  let sent = false;
  for await (const chunk of rest) {
    yield sent ? chunk : Buffer.concat([head, chunk]);
    sent = true;
  }
}

const hash = (data: Buffer) => createHash('sha256').update(data).digest('base64url');
