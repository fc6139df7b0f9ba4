import { distinctName, fileName } from '../../../downloader/media/file-names.ts';
import type { ResolveResult } from '../../../site/api.ts';
import type { Run, RunPost } from './run.ts';

/** A file of a post, and where it goes. */
interface PlannedFile {
  readonly href: string;
  /** Its path without extension: a picture's type is known when it comes. */
  readonly stem: string;
}

const pictureId = /^(?:jpg|mp4)-(\d+)$/;

/** The path that all files of a post begin with. @param taken as of {@link distinctName} */
export function stemFor(
  { post }: ResolveResult,
  { n }: RunPost,
  { template }: Run,
  taken: Set<string>,
): string {
  const { author, id, title, created_at: createdAt } = post;
  const parts = {
    ...{ author: author.handle, id, text: title, extension: 'mp4' },
    createdAt: createdAt === null ? null : Date.parse(createdAt) / 1000,
  };
  return distinctName(fileName(parts, { template, n }), taken).replace(/\.mp4$/, '');
}

/** The taken name of {@link stemFor}, of a path that begins with it. */
export const stemOf = (path: string): string => path.replace(/\/.*|\.\w+$/, '');

/**
 * The files of a post that a run saves: a video or the pictures in a folder, the sound, or both. What another server
 * has cannot be saved by a page.
 */
export function planFiles({ options }: ResolveResult, { format }: Run, stem: string): PlannedFile[] {
  const own = options.filter(({ href }) => href.startsWith('/'));
  const pictures = format === 'mp3' ? [] : own.filter(({ id }) => pictureId.test(id));
  const video = format === 'mp3' || pictures.length > 0 ? [] : own.filter(({ id }) => id === 'mp4');
  const sound = format === 'mp4' ? [] : own.filter(({ id }) => id === 'mp3');
  const numbered = pictures.map(({ id, href }) => ({
    ...{ href, stem: `${stem}/${(pictureId.exec(id)?.[1] ?? '').padStart(2, '0')}` },
  }));
  return [...numbered, ...[...video, ...sound].map(({ href }) => ({ href, stem }))];
}

const extensions: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'audio/mpeg': 'mp3',
  'image/jpeg': 'jpg',
  'image/heic': 'heic',
  'image/avif': 'avif',
};

/** The path of a planned file, by the type that it was sent as. */
export const pathOf = ({ stem }: PlannedFile, response: Response): string =>
  `${stem}.${extensions[response.headers.get('content-type') ?? ''] ?? 'bin'}`;
