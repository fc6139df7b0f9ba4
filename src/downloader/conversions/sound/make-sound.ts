import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Failure } from '../../../failures/failures.ts';
import { together } from '../../async/parallel.ts';
import { withTimeLimit } from '../../async/time-limit.ts';
import { cutAdts, cutMovie, encodeRingtone, fadeOf } from '../../cutting/cut-sound.ts';
import { readAdts } from '../../media/adts.ts';
import type { AacConfig, AdtsSound, ByteSource, Mp3Encoder } from '../../media/contracts.ts';
import { writeM4a } from '../../media/m4a.ts';
import { fitMp3, mp3Length } from '../../media/mp3/fit.ts';
import type { Movie } from '../../media/mp4/read-movie.ts';
import { readSound, type SoundRead } from '../../media/read-sound.ts';
import type { SniffedSound } from '../../media/sniff-sound.ts';
import { type Link, planSound } from '../../media/sound-plan.ts';
import { type CoverPicture, type MediaTags, tagsOfPost, writeId3 } from '../../media/tags.ts';
import { asSong, type Post, songOf } from '../../post/post.ts';
import { etagOf, type PreparedFile, type SoundMaker, type SoundRequest } from '../source.ts';
import type { ReadCover } from './cover.ts';
import { findSound, type SoundFiles } from './find-sound.ts';
import { SharedSounds } from './shared-sounds.ts';

/**
 * The first encoder, in order of preference, that supports this kind of sound.
 * @throws Failure `conversion_failed` when none does; the original sound (m4a) is still available
 */
export function selectEncoder(encoders: readonly Mp3Encoder[], config: AacConfig): Mp3Encoder {
  const encoder = encoders.find((candidate) => candidate.canEncode(config));
  if (encoder !== undefined) return encoder;
  const { objectType, sampleRate, channels } = config;
  throw new Failure('conversion_failed', {
    note: `no encoder for AAC type ${objectType}, ${sampleRate} Hz, ${channels} channel(s)`,
  });
}

export interface SoundMakerOptions extends Omit<SoundFiles, 'shared'> {
  /** The preferred one first. */
  readonly encoders: readonly Mp3Encoder[];
  readonly readCover: ReadCover;
  /** Range requests for one sound at most. */
  readonly maxRequests?: number;
  /** Called with figures on how the sound of a video was fetched. */
  readonly observe?: (read: SoundRead) => void;
}

/** One file to make: its source, its settings and its visitor. */
interface Task extends SoundRequest {
  readonly source: ByteSource;
  readonly tags: MediaTags;
  readonly encoders: readonly Mp3Encoder[];
  readonly link: Partial<Link>;
  readonly connections?: number;
  readonly observe?: (read: SoundRead) => void;
}

/** Time limit for reading the sound's index: at most a few hundred kilobytes, which a slow server delivers in time. */
const prepareLimitMs = 30_000;
/** Connections for frames that are encoded elsewhere: a visitor's line is slow, so more gain nothing. */
const connectionsElsewhere = 2;
/** Covers that are kept, 200 kB each at most. */
const mostCovers = 50;
/** An ID3v1 tag at the end of an mp3 is this long and begins with `TAG`. */
const id3v1Bytes = 128;

/**
 * Makes sound files from posts: finds the post, reads the sound's index, announces a length, then fetches, encodes and
 * passes on at the same time.
 */
export function createSoundMaker({
  encoders,
  readCover,
  maxRequests,
  observe,
  ...files
}: SoundMakerOptions): SoundMaker {
  const link = maxRequests === undefined ? {} : { maxRequests };
  const shared = new SharedSounds();
  /** Covers of posts that were cut, by the post as it was read: all cuts of a post share one. */
  const covers = new LRUCache<Post, CoverPicture>({ max: mostCovers });

  async function coverOf(post: Post, isCut: boolean, signal: AbortSignal): Promise<CoverPicture | null> {
    const known = covers.get(post);
    if (known !== undefined) return known;
    const cover = await readCover(post, signal);
    if (isCut && cover !== null) covers.set(post, cover);
    return cover;
  }

  /** Finds what is to be made out of what. */
  async function openTask(request: SoundRequest): Promise<OpenedTask> {
    const { work, signal } = request;
    const read = await files.resolver.resolve(work.post, signal);
    const post = work.song ? asSong(read) : read;
    const [{ sound, source }, cover] = await withTimeLimit(prepareLimitMs, signal, (limited) =>
      together(limited, (both) => [
        findSound(post, work.cut === undefined ? files : { ...files, shared }, both),
        coverOf(post, work.cut !== undefined, both),
      ]),
    );
    const task = {
      ...request,
      source,
      tags: tagsOf(post, cover),
      encoders,
      // A cut fetches its own bytes only: it is short, and takes few requests.
      link: work.cut === undefined ? link : { ...link, latencyMs: 0 },
      ...(observe && { observe }),
    };
    return { post, sound, task };
  }

  return {
    async prepare(request) {
      const { post, sound, task } = await openTask(request);
      const { work } = task;
      switch (sound.kind) {
        case 'mp4':
          return movieAsSound(task, cutOf(sound.movie, task));
        case 'adts':
          onlyMp3(task, 'raw AAC frames');
          return encode(task, await adtsOf(sound.start, task));
        case 'mp3':
          onlyMp3(task, 'an mp3');
          if (work.cut !== undefined) throw new Failure('cut_unsupported', { note: 'the sound is an mp3' });
          return retag(task, sound.start, post.sound?.durationS ?? post.durationS);
      }
    },

    async openFrames(request) {
      const { post, sound, task } = await openTask(request);
      onlyMp3(task, 'wanted as it is');
      if (sound.kind === 'mp3') return null;
      const frames =
        sound.kind === 'adts'
          ? await adtsOf(sound.start, task)
          : moviesFrames(cutOf(sound.movie, task), { ...task, connections: connectionsElsewhere });
      return { post, sound: frames, ...mp3Extras(task, frames) };
    },
  };
}

interface OpenedTask {
  readonly post: Post;
  readonly sound: SniffedSound;
  readonly task: Task;
}

const cutOf = (movie: Movie, { work: { cut } }: Task) => (cut === undefined ? movie : cutMovie(movie, cut));

async function adtsOf(start: number, { source, work: { cut }, signal }: Task): Promise<AdtsSound> {
  const whole = await readAdts(source, start, signal);
  return cut === undefined ? whole : cutAdts(whole, cut);
}

const moviesFrames = (movie: Movie, task: Task): AdtsSound =>
  readSound(task.source, movie, planSound(movie, task.link), task);

/** A song by somebody else keeps its own name; any other sound is named after the post. */
function tagsOf(post: Post, cover: CoverPicture | null): MediaTags {
  const { title, artist } = songOf(post) ?? tagsOfPost(post, post.song?.title);
  return { title, artist, sourceUrl: post.url, ...(cover !== null && { cover }) };
}

function onlyMp3({ work }: Task, what: string): void {
  if (work.format !== 'mp3') throw new Failure('option_missing', { note: `the sound is ${what}, not m4a` });
}

async function movieAsSound(task: Task, movie: Movie): Promise<PreparedFile> {
  const { work, encoders, signal } = task;
  const read = () => moviesFrames(movie, task);
  if (work.format === 'mp3') return encode(task, read());
  const encoder = encoders.find(({ encodeAac }) => encodeAac !== undefined);
  // Without an AAC encoder, a ringtone keeps the original sound and does not fade out.
  if (work.cut?.isRingtone !== true || encoder === undefined) return movieAsM4a(task, movie);
  const encoded = await encodeRingtone(encoder, read(), signal);
  // The following bytes do not come from a platform.
  const { observe: _, ...made } = task;
  return movieAsM4a({ ...made, source: encoded.source }, encoded.movie);
}

/** The tag before an mp3's frames, and the fade at a ringtone's end. */
const mp3Extras = ({ work, tags }: Pick<Task, 'work' | 'tags'>, sound: AdtsSound) => ({
  tag: writeId3({ ...tags, durationMs: sound.durationS * 1000 }),
  fade: work.cut?.isRingtone === true ? fadeOf(sound) : undefined,
});

function encode(task: Task, sound: AdtsSound): PreparedFile {
  const { work, encoders, fast, signal } = task;
  const encoder = selectEncoder(encoders, sound.config);
  const { tag, fade } = mp3Extras(task, sound);
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

/** Passes on a sound that is already an mp3, with our tag in place of its own. */
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
