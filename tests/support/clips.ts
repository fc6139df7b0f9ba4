import { fileKey, fileOf } from '../../doubles/tiktok/media/files.ts';
import { postNamed } from '../../doubles/tiktok/scenarios/posts.ts';

function fileOfPost(name: string, what: string): Buffer {
  const file = fileOf(fileKey(postNamed(name).id, what));
  if (file === undefined) throw new Error(`The double has no ${what} of ${name}`);
  return file.bytes();
}

/** The exact bytes of a post's video on the double's media servers; the best encoding with `hd`. */
export function originalVideo(name: string, variant: 'default' | 'hd' = 'default'): Buffer {
  const { media } = postNamed(name).post;
  if (media.kind !== 'video') throw new Error(`${name} is no video`);
  const gear = media.gears.at(variant === 'hd' ? -1 : 0);
  return fileOfPost(name, gear?.name ?? '');
}

/** The exact bytes of a slideshow's picture, counted from 1. */
export function originalPicture(name: string, number: number): Buffer {
  return fileOfPost(name, `picture-${number}`);
}

/** The exact bytes of a slide's video, slides counted from 1. */
export function originalMotion(name: string, number: number): Buffer {
  return fileOfPost(name, `motion-${number}`);
}

/** The exact bytes of a post's separate sound. */
export function originalSong(name: string): Buffer {
  return fileOfPost(name, 'sound');
}

/** The exact bytes of one encoding, by its name on the platform. */
export function originalEncoding(name: string, gear: string): Buffer {
  return fileOfPost(name, gear);
}
