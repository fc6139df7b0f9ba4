import { type ChosenVideo, type KnownFiles, nothingKnown, playableFiles } from '../post/choose-files.ts';
import type { Post, VideoVariant } from '../post/post.ts';

/** Distinguishes the encodings of one video, for people and in a ticket. */
export type VideoVersion = Pick<VideoVariant, 'codec' | 'width' | 'height'>;

export const isVersion = (version: VideoVersion, { picture }: ChosenVideo): boolean =>
  picture.codec === version.codec && picture.width === version.width && picture.height === version.height;

/**
 * All encodings that a video can be served as, one for each codec and size, best first. Excludes silent encodings of a
 * video with sound, and encodings of unknown size.
 */
export function versionsOf(post: Post, known: KnownFiles = nothingKnown): ChosenVideo[] {
  const found: ChosenVideo[] = [];
  for (const one of playableFiles(post, known)) {
    const { picture } = one;
    if (picture.width > 0 && picture.height > 0 && !found.some((other) => isVersion(picture, other)))
      found.push(one);
  }
  const pixels = ({ picture: { width, height } }: ChosenVideo) => width * height;
  return found.toSorted(
    (one, other) => pixels(other) - pixels(one) || one.picture.codec.localeCompare(other.picture.codec),
  );
}
