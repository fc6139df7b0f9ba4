import { Transform } from 'node:stream';
import { type FileNaming, fileName } from '../../../downloader/media/file-names.ts';
import type { ZipEntry } from '../../../downloader/media/zip.ts';
import { readAlbum, type SlidePart } from '../../../downloader/pictures/album.ts';
import type { HeldFile, PictureType } from '../../../downloader/pictures/pictures.ts';
import type { MediaSource } from '../../../downloader/post/post.ts';
import type { OpenedVideo } from '../../../downloader/streaming/video.ts';
import type { TicketFile } from '../../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../../failures/failures.ts';
import { conversionName } from '../../../server/endpoints/files/conversion.ts';
import { dateOf, slices, slideName } from '../../../server/endpoints/files/pictures.ts';
import { openChosenVideo, videoName } from '../../../server/endpoints/files/video.ts';
import type { Visitor } from '../../../server/http/visitor/visitor.ts';
import type { ServerDependencies } from '../../../server/instance/parts.ts';

/** The files of a post that a zip can contain: its video, its sound, or the pictures of a slideshow. */
export type ZipWork = Extract<TicketFile, { kind: 'video' | 'sound' | 'zip' }>;

/** Whether a ticket's work can be a part of a zip. */
export const isZipWork = (work: TicketFile): work is ZipWork =>
  work.kind === 'video' || work.kind === 'sound' || work.kind === 'zip';

/** An available file: its first bytes are present. */
interface OpenedFile extends ZipEntry {
  /** Must be called once, also when it was never read. */
  close(): void;
}

/** The recipient of a zip. */
export interface ZipReader {
  readonly visitor: Visitor;
  readonly naming: FileNaming;
  /** Aborted when the client went away. */
  readonly signal: AbortSignal;
}

type FileParts = Pick<
  ServerDependencies,
  'resolver' | 'fileChooser' | 'network' | 'pictures' | 'conversions'
>;

/**
 * Opens a ticket's files, one after the other. Each must be closed before the next one.
 * @throws Failure when it is unavailable, or the signal's reason
 */
export async function* openFiles(
  work: ZipWork,
  reader: ZipReader,
  parts: FileParts,
): AsyncGenerator<OpenedFile, void, void> {
  if (work.kind === 'zip') yield* openAlbum(work, reader, parts);
  else
    yield work.kind === 'video' ? await openVideo(work, reader, parts) : await openSound(work, reader, parts);
}

async function openVideo(
  work: Extract<ZipWork, { kind: 'video' }>,
  { signal, naming }: ZipReader,
  parts: FileParts,
): Promise<OpenedFile> {
  const { post, video } = await openChosenVideo(work, parts, { signal });
  return {
    name: videoName(post, work, naming),
    modified: dateOf(post),
    size: video.size,
    stream: bytesOf(video),
    close: () => video.close(),
  };
}

/** A video's bytes. They are copies: the video's own memory is released once it is written. @throws Error when it is incomplete */
async function* bytesOf(video: OpenedVideo): AsyncGenerator<Uint8Array> {
  const copies = new Transform({ transform: (chunk, _, done) => done(null, Buffer.from(chunk)) });
  const relayed = video.pipeTo(copies);
  try {
    yield* copies;
  } catch {
    const { outcome, error } = await relayed;
    throw new Error(`the video ended ${outcome}`, { cause: error });
  } finally {
    copies.destroy();
  }
}

async function openSound(
  work: Extract<ZipWork, { kind: 'sound' }>,
  { visitor, signal, naming }: ZipReader,
  { resolver, conversions }: FileParts,
): Promise<OpenedFile> {
  const post = await resolver.resolve(work.post, signal);
  const file = await conversions.open(work, visitor.key, signal);
  return {
    name: conversionName(post, work, naming),
    modified: dateOf(post),
    size: file.length,
    stream: file.read(0, file.length),
    close: () => file.release(),
  };
}

/** Every available slide. @throws Failure when a slide is missing, after all others */
async function* openAlbum(
  work: Extract<ZipWork, { kind: 'zip' }>,
  { signal, naming }: ZipReader,
  { resolver, pictures }: FileParts,
): AsyncGenerator<OpenedFile, void, void> {
  const post = await resolver.resolve(work.post, signal);
  const read = (
    part: SlidePart,
    source: MediaSource,
    limited: AbortSignal,
  ): Promise<HeldFile<PictureType | 'video/mp4'>> =>
    part === 'picture' ? pictures.picture(source, limited) : pictures.motion(source, limited);
  let missing = post.pictures.length === 0 ? new Failure('option_missing') : null;
  for await (const slide of readAlbum({ resolver, read }, post, signal)) {
    if ('missing' in slide) {
      missing ??= slide.missing;
      continue;
    }
    const { bytes, type, release } = slide.result;
    yield {
      name: slideName(post, slide.index, type, naming),
      modified: dateOf(post),
      size: bytes.length,
      stream: slices(bytes),
      close: release,
    };
  }
  if (missing !== null) throw missing;
}

/** The facts about a file that are known in advance. */
export type Outlook = { readonly name: string; readonly size: number } | Failure | null;

/**
 * Requests a video's first bytes from the platform to learn its availability, name and size. Null for files that are
 * known only when they are reached: sounds are converted then, and pictures read.
 * @throws the signal's reason
 */
export async function lookAhead(
  work: ZipWork,
  { signal, naming }: ZipReader,
  parts: FileParts,
): Promise<Outlook> {
  if (work.kind !== 'video') return null;
  try {
    const { post, video } = await openChosenVideo(work, parts, { head: true, signal });
    video.close();
    return video.size === null ? null : { name: videoName(post, work, naming), size: video.size };
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown;
  }
}

/** The name of the zip itself. */
export const zipName = (site: string, works: readonly ZipWork[]): string =>
  fileName({
    author: site,
    id: String(works.length),
    extension: 'zip',
    ...(works[0]?.kind === 'sound' && { suffix: works[0].format }),
  });
